/** The version of the app, which is the version of the server that it came with (vite.config.ts). */
declare const VEDETTE_VERSION: string;
