import { lazy, memo } from "react";
import { GuardedMarkdown } from "./GuardedMarkdown.tsx";
import type { MarkdownProps } from "./Markdown.tsx";

// Only who reads or writes some loads what reads Markdown.
const Markdown = lazy(async () => ({ default: (await import("./Markdown.tsx")).Markdown }));

/** Renders Markdown; the raw text until the renderer is loaded, and where pages show it so. Each text is parsed once. */
export const MarkdownText = memo((props: MarkdownProps) => (
  <GuardedMarkdown text={props.text} size={props.asOnPages ? "update" : "document"}>
    <Markdown {...props} />
  </GuardedMarkdown>
));
