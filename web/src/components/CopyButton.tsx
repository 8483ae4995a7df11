import { Check, Copy } from "lucide-react";
import { type ComponentProps, useState } from "react";
import { Button } from "./Button.tsx";
import { showToast } from "./toasts.ts";

/** Copies a text. `said`: its words, once it has been copied, and where a browser refuses. */
export function CopyButton({
  value,
  said,
  ...button
}: { value: string; said: Record<"copy" | "copied" | "copyFailed", string> } & Pick<
  ComponentProps<typeof Button>,
  "ref" | "variant" | "className"
>) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value);
      setCopied(true);
    } catch {
      // Browsers have no clipboard for pages over plain http; the text can be selected with one click.
      showToast("warning", said.copyFailed);
    }
  };
  const Icon = copied ? Check : Copy;
  return (
    <Button {...button} onClick={() => void copy()}>
      <Icon aria-hidden className="size-4" />
      {copied ? said.copied : said.copy}
    </Button>
  );
}
