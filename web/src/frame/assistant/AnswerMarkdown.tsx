import { useRouter } from "@tanstack/react-router";
import { type MouseEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Components, Options } from "react-markdown";
import remarkGfm from "remark-gfm";
import { Prose } from "../../components/markdown/Markdown.tsx";
import { type LinkProps, OutsideLink } from "../../components/markdown/OutsideLink.tsx";

/** A page of the app is opened in it, as its own links do; within an answer nothing leads anywhere. */
function OwnLink({ href = "", children }: LinkProps) {
  const { history } = useRouter();
  if (href.startsWith("#")) return children;
  if (!href.startsWith("/") || /^\/[/\\]/.test(href)) {
    return <OutsideLink href={href}>{children}</OutsideLink>;
  }
  const follow = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    history.push(href);
  };
  return (
    <a href={href} onClick={follow} className="rounded-sm underline underline-offset-4">
      {children}
    </a>
  );
}

const components: Components = {
  a: ({ href, children }) => <OwnLink href={href}>{children}</OwnLink>,
  table: ({ children }) => <ScrollingTable>{children}</ScrollingTable>,
  // There is nothing to tick.
  input: ({ checked }) => (checked ? "☑" : "☐"),
};

/** One tilde means about: ~5 ms. */
const plugins: Options["remarkPlugins"] = [[remarkGfm, { singleTilde: false }]];

/** Markdown as models write it: with tables, lists of tasks, footnotes and bare addresses. */
export function AnswerMarkdown({ text }: { text: string }) {
  const { t } = useTranslation("frame/assistant");
  const footnotes = { footnoteLabel: t("footnotes"), footnoteBackContent: () => "" };
  return <Prose text={text} plugins={plugins} others={components} footnotes={footnotes} />;
}

/** Wider than its place, a table scrolls in itself, with the keyboard too. */
function ScrollingTable({ children }: { children: ReactNode }) {
  const { t } = useTranslation("frame/assistant");
  const box = useRef<HTMLDivElement>(null);
  const [isWider, setWider] = useState(false);
  useEffect(() => {
    const { current } = box;
    if (!current) return;
    const observer = new ResizeObserver(() => setWider(current.scrollWidth > current.clientWidth));
    for (const one of [current, ...current.children]) observer.observe(one);
    return () => observer.disconnect();
  }, []);
  const reachable = isWider ? { tabIndex: 0, role: "region", "aria-label": t("table") } : {};
  return (
    <div ref={box} {...reachable} className="overflow-x-auto focus-visible:-outline-offset-2">
      <table>{children}</table>
    </div>
  );
}
