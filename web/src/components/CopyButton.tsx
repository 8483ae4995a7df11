import { Check, Copy } from "lucide-react";
import { type ComponentProps, useState } from "react";
import { Button } from "./Button.tsx";
import { copyText } from "./copy-text.ts";
import { showToast } from "./toasts.ts";

/** A button's words, once it has copied, and where a browser refuses. */
export type CopyWords = Record<"copy" | "copied" | "copyFailed", string>;

/** Copies a text. */
export function CopyButton({
  value,
  said,
  ...button
}: { value: string; said: CopyWords } & Pick<
  ComponentProps<typeof Button>,
  "ref" | "variant" | "className"
>) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    if (await copyText(value)) setCopied(true);
    else showToast("warning", said.copyFailed);
  };
  const Icon = copied ? Check : Copy;
  return (
    <Button {...button} onClick={() => void copy()}>
      <Icon aria-hidden className="size-4" />
      {copied ? said.copied : said.copy}
    </Button>
  );
}

/** The text that is to be copied; one click selects all of it. */
export function CopyableText({ children }: { children: string }) {
  return (
    <code className="block rounded-md border border-line bg-page px-3 py-2.5 font-sans text-sm break-all select-all">
      {children}
    </code>
  );
}
