import { ImageUp } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { sentencesOf } from "../../api/client.ts";
import { useStatusPageAct } from "../../api/status-pages.ts";
import { Button } from "../../components/Button.tsx";
import { FieldNote } from "../../components/Field.tsx";
import { showToast } from "../../toasts.ts";
import type { OwnPartProps } from "./part-props.ts";

/** The server says more exactly what it takes; larger files need not be sent to hear it. */
const mostBytes = 256 * 1024;

/** A page's logo: what is chosen is shown first, and is on the page once that is confirmed. */
export function LogoField({ page, onSaved }: OwnPartProps) {
  const { t } = useTranslation("status-pages/editor");
  const act = useStatusPageAct(page.id);
  const chooser = useRef<HTMLInputElement>(null);
  /** A data address. */
  const [chosen, setChosen] = useState<string | null>(null);
  const [isLarge, setLarge] = useState(false);
  const { logoUrl } = page.appearance;
  const take = async (file: File | undefined) => {
    act.reset();
    if (!file) return;
    setLarge(file.size > mostBytes);
    setChosen(file.size > mostBytes ? null : await readAsAddress(file));
  };
  const done = (word: "set" | "removed") => (saved: typeof page) => {
    setChosen(null);
    showToast("success", t(`logo.${word}`));
    onSaved(saved);
  };
  const confirm = () =>
    act.mutate(
      { act: "logo", content: chosen?.replace(/^.*?base64,/, "") ?? "" },
      { onSuccess: done("set") },
    );
  const shown = chosen ?? logoUrl;
  const errors = isLarge ? [t("logo.large")] : act.error ? sentencesOf(act.error) : undefined;
  return (
    <div className="grid gap-2">
      <h3 className="text-sm font-medium">{t("logo.title")}</h3>
      {shown !== null && (
        <div className="grid grid-cols-2 overflow-hidden rounded-md border border-line">
          {["scheme-light", "scheme-dark"].map((theme) => (
            <div key={theme} className={`grid min-h-20 place-items-center bg-page p-4 ${theme}`}>
              <img src={shown} alt={page.name} className="max-h-12 max-w-full" />
            </div>
          ))}
        </div>
      )}
      <FieldNote id={`logo-${page.id}`} hint={t("logo.hint")} errors={errors} />
      <input
        ref={chooser}
        type="file"
        hidden
        accept="image/png,image/jpeg,image/webp,image/gif,image/svg+xml"
        onChange={({ target }) => {
          void take(target.files?.[0]);
          target.value = "";
        }}
      />
      <div className="flex flex-wrap gap-2">
        {chosen === null ? (
          <>
            <Button variant="quiet" onClick={() => chooser.current?.click()}>
              <ImageUp aria-hidden className="-ml-0.5 size-4" />
              {t(logoUrl === null ? "logo.choose" : "logo.change")}
            </Button>
            {logoUrl !== null && (
              <Button
                variant="quiet"
                busy={act.isPending}
                onClick={() => act.mutate({ act: "noLogo" }, { onSuccess: done("removed") })}
              >
                {t("logo.remove")}
              </Button>
            )}
          </>
        ) : (
          <>
            <Button busy={act.isPending} onClick={confirm}>
              {t("logo.use")}
            </Button>
            <Button variant="quiet" onClick={() => setChosen(null)}>
              {t("logo.drop")}
            </Button>
          </>
        )}
      </div>
    </div>
  );
}

const readAsAddress = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(reader.result as string));
    reader.addEventListener("error", () => reject(reader.error ?? new Error("unreadable")));
    reader.readAsDataURL(file);
  });
