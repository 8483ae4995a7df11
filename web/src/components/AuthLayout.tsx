import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Logo } from "./Logo.tsx";
import { ThemeToggle } from "./ThemeToggle.tsx";

/** The frame of the pages before signing in: one narrow column, its top always at the same height. */
export function AuthLayout({ title, text, children }: { title: string; text?: string; children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <div className="min-h-dvh">
      <header className="flex h-14 items-center justify-between px-4 sm:px-6">
        <span className="flex items-center gap-2.5 font-semibold">
          <Logo />
          {t("app.name")}
        </span>
        <ThemeToggle />
      </header>
      <main className="mx-auto w-full max-w-[22.5rem] px-4 pt-[max(1.5rem,10dvh)] pb-12">
        <h1 className="text-xl font-semibold">{title}</h1>
        {text && <p className="mt-1.5 text-pretty text-ink-muted">{text}</p>}
        <div className="mt-7">{children}</div>
      </main>
    </div>
  );
}
