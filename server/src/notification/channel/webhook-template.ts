import { type Fact, fact } from "../../texts/fact.ts";
import { cut } from "./cut.ts";

/** What is filled in is cut, where it would become longer. */
const MAX_FILLED = 65_536;
const SLOT = /\{\{\s*([\w.]*)\s*\}\}/g;
/** What other template languages repeat or decide with: `{{#each members}}`, `{% for m in members %}`. */
const BLOCK = /\{\{(?!\s*[\w.]*\s*\}\})[^{}]*\}\}|\{%[^%]*%\}/;

/** An object, or a list of objects, lists or texts; not a text that begins with a field, or with `[Vedette]`. */
const JSON_BEGINS = /^\s*(?:\{(?!\{)|\[\s*(?:\{(?!\{)|["[\]]))/;

/** Whether what is sent is meant to be JSON. */
export const isJsonTemplate = (template: string): boolean => JSON_BEGINS.test(template);

/**
 * Fills a template in once: nothing that is filled in is read again, and there is nothing to repeat. In JSON, values are
 * escaped as its texts are. Of what a template may become each of its values has an equal share.
 */
export function filledIn(template: string, values: object): string {
  const isJson = isJsonTemplate(template);
  const slots = template.match(SLOT)?.length ?? 0;
  const share = Math.floor((MAX_FILLED - template.length) / Math.max(slots, 1));
  const escaped = (text: string) => (isJson ? JSON.stringify(text).slice(1, -1) : text);
  return template.replaceAll(SLOT, (_, path: string) => {
    // A test is about no monitor.
    const value = valueAt(values, path) ?? "";
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return escaped(cut(text, share, (beginning) => escaped(beginning).length));
  });
}

/**
 * What is wrong with a template: a loop or a condition, a name that no message has, or what would be no JSON. Null:
 * nothing.
 */
export function templateProblem(template: string, sample: object): Fact | null {
  const block = BLOCK.exec(template)?.[0];
  if (block) return fact("channel.template_block", { block: block.slice(0, 60), field: "{{title}}" });
  const unknown = [...template.matchAll(SLOT)].find(([, path = ""]) => valueAt(sample, path) === undefined);
  if (unknown) return fact("channel.template_name", { name: unknown[1] ?? "" });
  if (!isJsonTemplate(template)) return null;
  try {
    JSON.parse(filledIn(template, sample));
    return null;
  } catch {
    return fact("channel.template_json");
  }
}

function valueAt(values: object, path: string): unknown {
  return path.split(".").reduce<unknown>((inner, name) => {
    if (typeof inner !== "object" || inner === null || !Object.hasOwn(inner, name)) return undefined;
    return (inner as Record<string, unknown>)[name];
  }, values);
}
