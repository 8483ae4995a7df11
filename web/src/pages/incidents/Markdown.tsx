import { useRouter } from "@tanstack/react-router";
import type { Root, RootContent } from "mdast";
import type { ComponentProps, MouseEvent } from "react";
import ReactMarkdown, { type Components } from "react-markdown";

type LinkProps = Pick<ComponentProps<"a">, "href" | "children">;

/** A link tells its page nothing of where the reader came from; what leads nowhere safe is text. */
const link = ({ href, children }: LinkProps) =>
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

const components: Components = {
  a: ({ href, children }) => link({ href, children }),
  // A picture from elsewhere would tell its server who reads this.
  img: ({ src, alt }) => link({ href: String(src ?? ""), children: alt || String(src ?? "") }),
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

/** A page of the app is opened in it, as its own links do. */
function OwnLink({ href = "", children }: LinkProps) {
  const { history } = useRouter();
  if (!href.startsWith("/") || /^\/[/\\]/.test(href)) return link({ href, children });
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

const ownComponents: Components = {
  ...components,
  a: ({ href, children }) => <OwnLink href={href}>{children}</OwnLink>,
};

export interface MarkdownProps {
  text: string;
  /** Links to pages of the app stay in it. */
  leadsOn?: boolean;
  /** As status pages show it: line breaks stay. */
  asOnPages?: boolean;
}

/** Markdown that somebody wrote: HTML in it is text, links lead to http, https and mail only, pictures are links. */
export function Markdown({ text, asOnPages = false, leadsOn = false }: MarkdownProps) {
  return (
    <div className="prose">
      <ReactMarkdown
        components={leadsOn ? ownComponents : components}
        remarkPlugins={asOnPages ? lineBreaks : []}
      >
        {text}
      </ReactMarkdown>
    </div>
  );
}
