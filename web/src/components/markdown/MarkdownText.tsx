import { lazy, memo } from "react";
import { GuardedMarkdown } from "./GuardedMarkdown.tsx";
import type { MarkdownProps } from "./Markdown.tsx";

// Only who reads or writes some loads what reads Markdown.
const Markdown = lazy(async () => ({ default: (await import("./Markdown.tsx")).Markdown }));

/** Markdown that somebody wrote; as it was written until what reads it is here, and where pages show it so. Read once a text. */
export const MarkdownText = memo((props: MarkdownProps) => (
  <GuardedMarkdown text={props.text} size={props.asOnPages ? "update" : "document"}>
    <Markdown {...props} />
  </GuardedMarkdown>
));
