import type { ComponentProps } from "react";

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
