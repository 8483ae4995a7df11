import type { ComponentProps } from "react";

export type LinkProps = Pick<ComponentProps<"a">, "href" | "children">;

/** An external link without a referrer; an unsafe address is rendered as text. */
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
