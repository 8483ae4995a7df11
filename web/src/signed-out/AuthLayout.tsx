import { type ReactNode, useEffect, useRef } from "react";
import { BareHeader } from "../components/BareHeader.tsx";
import { Button, ButtonLink } from "../components/Button.tsx";
import { Callout, type Failure, FailureCallout } from "../components/Callout.tsx";

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

interface LinkPageProps {
  title: string;
  text?: string | undefined;
  /** What a click does; absent where there is nothing to do, any more. */
  prompt?:
    | { text?: string; submit: string; busy: boolean; failure: Failure | null; onSubmit: () => void }
    | undefined;
  /** What became of it, or why the link is worth nothing. */
  outcome?: { tone: "error" | "info"; text: string } | undefined;
  /** The click has done it: the way on has the focus. */
  isDone?: boolean;
  /** More of what it is about. */
  children?: ReactNode;
  goOn: { label: string } & ({ to: "/" | "/incidents" } | { to: "/incidents/$id"; params: { id: string } });
}

/** It needs a click: chats, mail programs and virus scanners open links by themselves. */
export function LinkPage({ title, text, prompt, outcome, isDone = false, children, goOn }: LinkPageProps) {
  const { label, ...to } = goOn;
  const way = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (isDone) way.current?.focus();
  }, [isDone]);
  return (
    <LinkFrame title={title} text={text}>
      {children}
      {prompt ? (
        <>
          <FailureCallout of={prompt.failure} />
          {prompt.text !== undefined && <p className="text-ink-muted">{prompt.text}</p>}
          <Button autoFocus busy={prompt.busy} onClick={prompt.onSubmit} className="h-10 w-full">
            {prompt.submit}
          </Button>
        </>
      ) : (
        <>
          {outcome && <Callout tone={outcome.tone}>{outcome.text}</Callout>}
          <ButtonLink ref={way} {...to} className="w-full">
            {label}
          </ButtonLink>
        </>
      )}
    </LinkFrame>
  );
}

/** The same while it is not known yet where the link leads. */
export function LinkOnItsWay({ title }: { title: string }) {
  return (
    <LinkFrame title={title}>
      <p className="text-ink-faint">…</p>
    </LinkFrame>
  );
}

function LinkFrame(props: { title: string; text?: string | undefined; children: ReactNode }) {
  const { title, text, children } = props;
  return (
    <AuthLayout title={title} text={text}>
      <div className="grid gap-5">{children}</div>
    </AuthLayout>
  );
}
