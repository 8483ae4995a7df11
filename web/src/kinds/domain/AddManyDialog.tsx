import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { call } from "../../api/client.ts";
import { listKeys } from "../../api/monitor-keys.ts";
import { findWatched } from "../../api/watched.ts";
import { Button } from "../../components/Button.tsx";
import { Dialog } from "../../components/Dialog.tsx";
import { showToast } from "../../components/toasts.ts";
import { useFocusBack } from "../../components/use-focus-back.ts";
import { monitorKinds } from "../kinds.ts";
import { addMany, addressesIn, type ManyAdded } from "./add-many.ts";

const { api, id: kindId } = monitorKinds.domain;
const reads = {
  isWatched: async (url: string) => (await findWatched(url)) !== null,
  add: (url: string) => call("POST", api, { body: { url } }),
};

interface AddManyDialogProps {
  /** What stands in the box at first. */
  text: string;
  onClose: () => void;
}

/** Adds many addresses, one a line; those that were refused stay in the box, with the reasons. */
export function AddManyDialog({ text: first, onClose }: AddManyDialogProps) {
  const { t } = useTranslation(["kinds/domain", "monitor", "shared"]);
  const id = useId();
  const [text, setText] = useState(first);
  const [outcome, setOutcome] = useState<ManyAdded | null>(null);
  const { through, run, stop } = useAddMany();
  const addresses = addressesIn(text);
  const count = addresses.length;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (count === 0 || through !== null) return;
    const became = await run(addresses);
    const { added, watched, refused, left } = became;
    if (added > 0) showToast("success", t("many.done", { count: added }));
    if (watched.length + refused.length + left.length === 0) return onClose();
    setOutcome(became);
    setText([...refused.map(({ address }) => address), ...left].join("\n"));
  };
  return (
    <Dialog title={t("many.title")} text={t("many.text")} onLeft={useFocusBack()} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)} noValidate className="mt-4 grid gap-4">
        <textarea
          aria-label={t("many.label")}
          aria-describedby={outcome ? `${id}-outcome` : undefined}
          rows={8}
          value={text}
          readOnly={through !== null}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          placeholder={t("add.placeholder")}
          onChange={(event) => setText(event.target.value)}
          className="control h-auto resize-y py-2 leading-5"
        />
        {outcome && <Outcome id={`${id}-outcome`} outcome={outcome} />}
        <div className="flex justify-end gap-2">
          <Button variant="quiet" onClick={through === null ? onClose : stop}>
            {t(through === null ? "shared:action.cancel" : "monitor:bulk.stop")}
          </Button>
          <Button type="submit" disabled={count === 0} aria-disabled={through !== null}>
            {through === null ? t("many.submit", { count }) : t("many.running", { through, total: count })}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Runs it, and says how many are through; null while nothing runs. It ends with the dialog. */
function useAddMany() {
  const client = useQueryClient();
  const [through, setThrough] = useState<number | null>(null);
  const stopper = useRef(new AbortController());
  useEffect(() => () => stopper.current.abort(), []);
  const run = async (addresses: readonly string[]): Promise<ManyAdded> => {
    stopper.current = new AbortController();
    const { signal } = stopper.current;
    const became = await addMany(addresses, reads, { signal, onProgress: setThrough });
    await client.invalidateQueries({ queryKey: listKeys.every(kindId) });
    setThrough(null);
    return became;
  };
  return { through, run, stop: () => stopper.current.abort() };
}

/** How many reasons are told one by one. */
const mostTold = 5;

function Outcome({ id, outcome: { watched, refused, left } }: { id: string; outcome: ManyAdded }) {
  const { t } = useTranslation("kinds/domain");
  const more = refused.length - mostTold;
  return (
    <div id={id} role="alert" className="grid gap-1 text-sm wrap-anywhere">
      {watched.length > 0 && <p className="text-ink-muted">{t("many.watched", { count: watched.length })}</p>}
      {refused.slice(0, mostTold).map(({ address, message }) => (
        <p key={address} className="text-down-ink">
          {t("many.refused", { address, message })}
        </p>
      ))}
      {more > 0 && <p className="text-down-ink">{t("many.more", { count: more })}</p>}
      {left.length > 0 && <p className="text-ink-muted">{t("many.left", { count: left.length })}</p>}
    </div>
  );
}
