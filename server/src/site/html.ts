import { Parser } from "htmlparser2";

/** Hears of a page's elements, with names in lower case. */
export interface HtmlHandler {
  /** True: nothing more is wanted. */
  onOpen(name: string, attributes: Record<string, string>): boolean | void;
  onText?(text: string): void;
  onClose?(name: string): boolean | void;
}

/**
 * Anything nested deeper is not read, as in browsers: for each end tag the parser searches all open elements, so that
 * half a megabyte of open tags, and of end tags that match none, would keep it busy for minutes.
 */
const MAX_DEPTH = 512;

/** Reads HTML, however broken, in time that grows with its length. Never throws. */
export function readHtml(html: string, handler: HtmlHandler): void {
  let depth = 0;
  const parser = new Parser({
    onopentag(name, attributes) {
      depth++;
      if (handler.onOpen(name, attributes) === true || depth > MAX_DEPTH) parser.pause();
    },
    ontext: (text) => handler.onText?.(text),
    onclosetag(name) {
      depth--;
      if (handler.onClose?.(name) === true) parser.pause();
    },
  });
  parser.end(html);
}
