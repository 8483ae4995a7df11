import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import packageFile from "./package.json" with { type: "json" };
import { precompress } from "./precompress.ts";
import { serverSchemas } from "./server-schemas.ts";

/** Where `npm run dev` finds the API; another port with VEDETTE_API=http://127.0.0.1:9090. */
const api = process.env.VEDETTE_API ?? "http://127.0.0.1:8080";
const apiPaths = [
  "/api",
  "/v2",
  "/api-keys",
  "/docs",
  "/openapi.json",
  "/mcp",
  "/metrics",
  "/check-domain",
  "/status",
];

/** Names the text font in the page's head, so that it arrives with the style sheet and text never reflows. */
const preloadFont: Plugin = {
  name: "preload-font",
  transformIndexHtml: {
    order: "post",
    handler(_html, { bundle }) {
      const font = Object.keys(bundle ?? {}).find((file) => file.includes("inter-latin-wght"));
      if (!font) return [];
      const attrs = { rel: "preload", as: "font", type: "font/woff2", crossorigin: true, href: `/${font}` };
      return [{ tag: "link", attrs, injectTo: "head" }];
    },
  },
};

/** Our own modules and the icons. */
const SMALL_THINGS = /web[\\/]src[\\/](?!i18n)|node_modules[\\/]lucide-react/;

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), preloadFont, serverSchemas, precompress],
  define: { VEDETTE_VERSION: JSON.stringify(packageFile.version) },
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: ["chrome123", "edge123", "firefox121", "safari17.5"],
    // The content security policy allows no data: fonts or scripts.
    assetsInlineLimit: 0,
    // The budget is 200 kB gzipped for the first view; the warning counts plain bytes.
    chunkSizeWarningLimit: 650,
    sourcemap: false,
    // What the first view needs comes as one file, and so do the small things that several pages share: many small files
    // compress badly, and are asked for one by one. Texts stay apart: nobody needs those of other languages.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: "first", tags: ["$initial"] },
            { name: "shared", minShareCount: 3, maxModuleSize: 1_500, test: SMALL_THINGS },
          ],
        },
      },
    },
  },
  server: {
    port: 5173,
    strictPort: false,
    proxy: Object.fromEntries(apiPaths.map((path) => [path, { target: api, changeOrigin: false }])),
  },
});
