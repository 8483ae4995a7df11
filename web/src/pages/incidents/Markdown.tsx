import type { ComponentProps } from "react";
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

/** Markdown that somebody wrote: HTML in it is text, links lead to http, https and mail only, pictures are links. */
export function Markdown({ text }: { text: string }) {
  return (
    <div className="prose">
      <ReactMarkdown components={components}>{text}</ReactMarkdown>
    </div>
  );
}
