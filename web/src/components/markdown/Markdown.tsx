import type { Root, RootContent } from "mdast";
import ReactMarkdown, { type Components, type Options } from "react-markdown";
import { OutsideLink } from "./OutsideLink.tsx";

const components: Components = {
  a: ({ href, children }) => <OutsideLink href={href}>{children}</OutsideLink>,
  // A remote picture would reveal the reader to its server.
  img: ({ src, alt }) => <OutsideLink href={String(src ?? "")}>{alt || String(src ?? "")}</OutsideLink>,
  // The page and the card have their headings already.
  h1: ({ children }) => <h3>{children}</h3>,
  h2: ({ children }) => <h3>{children}</h3>,
  h3: ({ children }) => <h4>{children}</h4>,
};

const lineBreak: RootContent = { type: "break" };

function breakLines(parent: { children: RootContent[] }): void {
  parent.children = parent.children.flatMap((child): RootContent[] => {
    if ("children" in child) breakLines(child as { children: RootContent[] });
    if (child.type !== "text") return [child];
    return child.value
      .split(/\r?\n/)
      .flatMap((value, at): RootContent[] => [...(at > 0 ? [lineBreak] : []), { type: "text", value }]);
  });
}

/** Updates were written before they were Markdown, with line breaks. */
const lineBreaks = [() => (root: Root) => breakLines(root)];

export interface MarkdownProps {
  text: string;
  /** As status pages show it: line breaks stay. */
  asOnPages?: boolean;
}

/** Renders Markdown: HTML in it is text, links lead to http, https and mail only, pictures are links. */
export const Markdown = ({ text, asOnPages = false }: MarkdownProps) => (
  <Prose text={text} plugins={asOnPages ? lineBreaks : []} />
);

interface ProseProps {
  text: string;
  plugins: Options["remarkPlugins"];
  /** What is shown in another way than elsewhere. */
  others?: Components;
  footnotes?: Options["remarkRehypeOptions"];
}

/** Markdown with these plugins: HTML in it is text, and pictures are links. */
export const Prose = ({ text, plugins, others, footnotes }: ProseProps) => (
  <div className="prose">
    <ReactMarkdown
      components={{ ...components, ...others }}
      remarkPlugins={plugins}
      remarkRehypeOptions={footnotes}
    >
      {text}
    </ReactMarkdown>
  </div>
);
