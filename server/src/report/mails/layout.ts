import { escaped } from "../../notification/mail/compose.ts";

/** A part of a report: a title, and a line each of what it tells of. */
export interface Part {
  title: string;
  lines: { name: string; text: string }[];
}

/** The report as plain text. `between`: a name and what is said of it, on one line. */
export function textOf(
  intro: string,
  parts: readonly Part[],
  between: (name: string, text: string) => string,
): string {
  const blocks = parts.map(({ title, lines }) =>
    [title, ...lines.map(({ name, text }) => `• ${text === "" ? name : between(name, text)}`)].join("\n"),
  );
  return [intro, ...blocks].join("\n\n");
}

const TITLE = "margin:24px 0 6px;line-height:1.3;font-size:16px;font-weight:600";
const TABLE = "width:100%;border-collapse:collapse;font-size:14px;line-height:1.45";
const NAME =
  "padding:6px 12px 6px 0;border-top:1px solid #e3e6eb;vertical-align:top;font-weight:500;width:40%";
const TEXT = "padding:6px 0;border-top:1px solid #e3e6eb;vertical-align:top;color:#5b6472";

/** The same as HTML that loads nothing from anywhere. */
export function htmlOf(intro: string, parts: readonly Part[]): string {
  const row = ({ name, text }: Part["lines"][number]) =>
    text === ""
      ? `<tr><td colspan="2" style="${TEXT}">${escaped(name)}</td></tr>`
      : `<tr><th align="left" scope="row" style="${NAME}">${escaped(name)}</th><td style="${TEXT}">${escaped(text)}</td></tr>`;
  const blocks = parts.map(
    ({ title, lines }) =>
      `<h2 style="${TITLE}">${escaped(title)}</h2>\n<table style="${TABLE}">${lines.map(row).join("\n")}</table>`,
  );
  return [`<p style="margin:0">${escaped(intro)}</p>`, ...blocks].join("\n");
}
