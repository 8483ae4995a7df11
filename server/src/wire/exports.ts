import { Readable } from "node:stream";
import { Type } from "typebox";

/** GET /api/exports. */
export const ExportQuery = Type.Object({});

export const EXPORT_FILE = {
  type: "application/yaml",
  schema: Type.String({
    examples: ["vedette: 1\ndomains:\n  - name: Shop\n    url: https://shop.example\nservices: []\n"],
  }),
};

/** Monitors as the file that whoever asked for them saves. */
export const exportFile = ({ slug, text }: { slug: string; text: AsyncIterable<string> }) => ({
  name: `vedette-${slug}.yaml`,
  content: Readable.from(text),
});
