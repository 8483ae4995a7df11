import { type ComponentProps, lazy, memo } from "react";
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

export type LinkProps = Pick<ComponentProps<"a">, "href" | "children">;

/** A link tells its page nothing of where the reader came from; what leads nowhere safe is text. */
export const OutsideLink = ({ href, children }: LinkProps) =>
  href ? (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer nofollow"
      className="rounded-sm underline underline-offset-4"
    >
      {children}
    </a>
  ) : (
    children
  );
