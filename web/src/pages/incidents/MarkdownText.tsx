import { lazy } from "react";
import { GuardedMarkdown } from "../../components/GuardedMarkdown.tsx";
import type { MarkdownProps } from "./Markdown.tsx";

// Only who reads or writes some loads what reads Markdown.
const Markdown = lazy(async () => ({ default: (await import("./Markdown.tsx")).Markdown }));

/** Markdown that somebody wrote; as it was written until what reads it is here, and where pages show it so. */
export const MarkdownText = (props: MarkdownProps) => (
  <GuardedMarkdown text={props.text} size={props.asOnPages ? "update" : "document"}>
    <Markdown {...props} />
  </GuardedMarkdown>
);
