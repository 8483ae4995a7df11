/** A hash of names, sizes and times of the server's sources, and of the packages it is built with. */
export function sourcesNow(): string;
