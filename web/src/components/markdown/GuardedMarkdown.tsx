import { Component, type ReactNode, Suspense } from "react";
import { isTooMuch } from "../../../../server/src/platform/formats/markdown-limits.ts";

interface GuardedMarkdownProps {
  text: string;
  size: "update" | "document";
  /** What reads it, which may come later. */
  children: ReactNode;
}

/** Shows the raw text until the renderer is loaded, where rendering would take long, and where it fails. */
export function GuardedMarkdown({ text, size, children }: GuardedMarkdownProps) {
  const plain = <p className="wrap-anywhere whitespace-pre-line">{text}</p>;
  if (isTooMuch(text, size)) return plain;
  return (
    <Otherwise show={plain}>
      <Suspense fallback={plain}>{children}</Suspense>
    </Otherwise>
  );
}

/** React has no function for it. */
class Otherwise extends Component<{ show: ReactNode; children: ReactNode }> {
  override state = { hasFailed: false };
  static getDerivedStateFromError = () => ({ hasFailed: true });
  override render = () => (this.state.hasFailed ? this.props.show : this.props.children);
}
