import { Link, type LinkProps } from "@tanstack/react-router";
import { ChevronLeft } from "lucide-react";
import { createContext, type ReactNode, use, useEffect } from "react";
import { createPortal } from "react-dom";
import { useTranslation } from "react-i18next";
import { directionOf } from "../i18n/direction.ts";

/** The target of a page's bar: the element at the top of the frame, once that is rendered. */
export const PageBarPlace = createContext<HTMLElement | null>(null);

export interface Crumb extends Pick<LinkProps, "to" | "params" | "search"> {
  label: string;
}

interface PageBarProps {
  /** The way to this page, from the outermost page inwards. */
  crumbs?: readonly Crumb[];
  title: string;
  /** The title is the page's heading: it has no other. */
  heading?: boolean;
  /** What can be done on the page. */
  children?: ReactNode;
}

/** Fills the bar at the top: where the reader is, and what can be done there. Stays in sight while the page scrolls. */
export function PageBar({ crumbs = [], title, heading = false, children }: PageBarProps) {
  const place = use(PageBarPlace);
  if (!place) return null;
  const Title = heading ? "h1" : "span";
  return createPortal(
    <>
      <Breadcrumb crumbs={crumbs}>
        <Title
          aria-current="page"
          dir={directionOf(title)}
          className="min-w-0 truncate text-base font-semibold"
        >
          {title}
        </Title>
      </Breadcrumb>
      {children && <div className="flex shrink-0 items-center gap-2">{children}</div>}
    </>,
    place,
  );
}

function Breadcrumb({ crumbs, children }: { crumbs: readonly Crumb[]; children: ReactNode }) {
  const { t } = useTranslation();
  const last = crumbs.length - 1;
  return (
    <nav aria-label={t("frame.breadcrumb")} className="min-w-0 flex-1">
      <ol className="flex items-center gap-1.5">
        {crumbs.map(({ label, ...link }, at) => (
          // A phone has room for the way back only.
          <li
            key={label}
            className={`flex min-w-0 shrink-0 items-center gap-1.5 ${at < last ? "max-md:hidden" : ""}`}
          >
            <Link
              {...link}
              activeOptions={{ exact: true }}
              className="flex max-w-56 items-center gap-0.5 rounded-sm text-ink-muted hover:text-ink max-md:-ml-1"
            >
              <ChevronLeft aria-hidden className="size-4 shrink-0 md:hidden" />
              <span dir={directionOf(label)} className="truncate">
                {label}
              </span>
            </Link>
            <span aria-hidden className="text-line-strong">
              /
            </span>
          </li>
        ))}
        <li className="flex min-w-0">{children}</li>
      </ol>
    </nav>
  );
}

/** Names the browser's tab: "3 down · Domains · Vedette". */
export function usePageTitle(title: string): void {
  const { t } = useTranslation();
  useEffect(() => {
    document.title = `${title} · ${t("app.name")}`;
  }, [title, t]);
}
