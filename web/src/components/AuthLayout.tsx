import type { ReactNode } from "react";
import { BareHeader } from "./BareHeader.tsx";

/** The frame of the pages before signing in: one narrow column, its top always at the same height. */
export function AuthLayout({
  title,
  text,
  children,
}: {
  title: string;
  text?: string | undefined;
  children: ReactNode;
}) {
  return (
    <div className="min-h-dvh">
      <BareHeader />
      <main className="mx-auto w-full max-w-90 px-4 pt-[max(1.5rem,10dvh)] pb-12">
        <h1 className="text-xl font-semibold text-pretty wrap-anywhere">{title}</h1>
        {text && (
          <p className="mt-1.5 text-pretty wrap-anywhere whitespace-pre-line text-ink-muted">{text}</p>
        )}
        <div className="mt-7">{children}</div>
      </main>
    </div>
  );
}
