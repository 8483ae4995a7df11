import { createContext, type ReactNode, use } from "react";
import { useTranslation } from "react-i18next";
import { LanguageMenu } from "./LanguageMenu.tsx";
import { ThemeToggle } from "./ThemeToggle.tsx";

/** The header without a session, or before it is known. */
export function BareHeader() {
  const { t } = useTranslation();
  return (
    <header className="flex h-14 items-center justify-between px-4 sm:px-6">
      <span className="flex items-center gap-2.5 font-semibold">
        <Logo />
        {t("app.name")}
      </span>
      <span className="flex gap-1">
        <LanguageMenu />
        <ThemeToggle />
      </span>
    </header>
  );
}

export function Logo({ className = "size-6" }: { className?: string }) {
  return (
    <svg aria-hidden viewBox="0 0 32 32" className={className}>
      <rect width="32" height="32" rx="8" className="fill-action" />
      <path
        d="M7 9.5l7.3 13.6a2 2 0 0 0 3.4 0L25 9.5"
        fill="none"
        strokeWidth="3"
        strokeLinecap="round"
        className="stroke-on-action"
      />
      <circle cx="16" cy="10.6" r="3.1" className="fill-up" />
    </svg>
  );
}

/** Whether the frame of a page, with its header and its <main>, is already rendered. */
export const InsideFrame = createContext(false);

/** Replaces a page that cannot be shown: in the middle of the frame, or of a frame of its own. */
export function PageMessage({ children }: { children: ReactNode }) {
  const inside = use(InsideFrame);
  if (inside) return <div className="grid min-h-[60dvh] content-center">{children}</div>;
  return (
    <div className="grid min-h-dvh grid-rows-[auto_1fr]">
      <BareHeader />
      <main className="content-center pb-[20dvh]">{children}</main>
    </div>
  );
}
