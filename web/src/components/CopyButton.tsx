import { Check, Copy } from "lucide-react";
import { type ComponentProps, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "./Button.tsx";
import { copyText } from "./copy-text.ts";
import { showToast } from "./toasts.ts";

/** Copies a text. `label`: what it says, “Copy” by default. */
export function CopyButton({
  value,
  label,
  ...button
}: { value: string; label?: string } & Pick<ComponentProps<typeof Button>, "ref" | "variant" | "className">) {
  const { t } = useTranslation();
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    if (await copyText(value)) setCopied(true);
    else showToast("warning", t("copy.failed"));
  };
  const Icon = copied ? Check : Copy;
  return (
    <Button {...button} onClick={() => void copy()}>
      <Icon aria-hidden className="size-4" />
      {copied ? t("copy.done") : (label ?? t("copy.copy"))}
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
