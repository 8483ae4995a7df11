import { lazy, Suspense } from "react";
import { isTooMuch } from "../../../../server/src/page/render/markdown-limits.ts";
import type { MarkdownProps } from "./Markdown.tsx";

// Only who reads or writes some loads what reads Markdown.
const Markdown = lazy(async () => ({ default: (await import("./Markdown.tsx")).Markdown }));

/** Markdown that somebody wrote; as it was written until what reads it is here, and where pages show it so. */
export function MarkdownText(props: MarkdownProps) {
  const plain = <p className="wrap-anywhere whitespace-pre-line">{props.text}</p>;
  if (props.asOnPages && isTooMuch(props.text)) return plain;
  return (
    <Suspense fallback={plain}>
      <Markdown {...props} />
    </Suspense>
  );
}
