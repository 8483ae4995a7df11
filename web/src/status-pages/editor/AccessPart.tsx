import { type FormEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { type StatusPage, type StatusPageChange, useChangeStatusPage } from "../../api/status-pages.ts";
import { Button } from "../../components/Button.tsx";
import { FailureCallout } from "../../components/Callout.tsx";
import { Section } from "../../components/Card.tsx";
import { PasswordField, TextArea } from "../../components/Field.tsx";
import { useFormErrors } from "../../components/use-form-errors.ts";
import { LeaveGuard } from "../../forms/LeaveGuard.tsx";
import { Tick } from "../../forms/Tick.tsx";
import { showToast } from "../../toasts.ts";
import { ChangedElsewhere } from "./EditorCallouts.tsx";
import type { OwnPartProps } from "./page-draft.ts";

const audiences = ["everyone", "password", "members"] as const;
type Audience = (typeof audiences)[number];

interface Access {
  audience: Audience;
  networks: string;
}

const accessOf = (page: StatusPage): Access => ({
  audience: !page.isPublic ? "members" : page.hasPassword ? "password" : "everyone",
  networks: page.allowedNetworks.join("\n"),
});

const isSame = (one: Access, other: Access) =>
  one.audience === other.audience && one.networks === other.networks;

/** The form's values. They follow what others save as long as nothing was typed; what was typed stays. */
function useAccess(page: StatusPage, isSaving: boolean) {
  const now = accessOf(page);
  const [first, setFirst] = useState(now);
  const [access, setAccess] = useState(now);
  const [password, setPassword] = useState("");
  const isChanged = !isSame(access, first) || password !== "";
  const take = (from: StatusPage) => {
    setFirst(accessOf(from));
    setAccess(accessOf(from));
    setPassword("");
  };
  const isOutdated = !isSame(now, first) && !isSaving;
  if (isOutdated && !isChanged) take(page);
  return {
    ...{ ...access, password, isChanged, take, setPassword },
    setAudience: (audience: Audience) => setAccess({ ...access, audience }),
    setNetworks: (networks: string) => setAccess({ ...access, networks }),
    isOvertaken: isOutdated && isChanged,
  };
}

/** Who may see a page, as it was last read. It is saved separately, so that a page is never opened or closed unawares. */
export function AccessPart({ page, onSaved }: OwnPartProps) {
  const { t } = useTranslation("status-pages/editor");
  const save = useChangeStatusPage(page.id);
  const access = useAccess(page, save.isPending);
  const { audience, password, networks } = access;
  // What was saved is no change any more.
  const isSaved = useRef(false);
  const { form, fields, failure } = useFormErrors(save.error, ["password", "allowedNetworks"]);
  const ofNetworks = Object.entries(fields).flatMap(([name, said]) =>
    name.startsWith("allowedNetworks") ? said : [],
  );
  const send = () => {
    const change: StatusPageChange = {
      isPublic: audience !== "members",
      allowedNetworks: audience === "members" ? [] : networks.split(/[\s,]+/).filter((one) => one !== ""),
      ...(audience === "password"
        ? (password !== "" || !page.hasPassword) && { password }
        : { password: null }),
    };
    save.mutate(change, {
      onSuccess: (saved) => {
        access.take(saved);
        showToast("success", t("access.saved"));
        onSaved(saved);
      },
    });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send();
  };
  const takeTheirs = () => {
    access.take(page);
    save.reset();
  };
  return (
    <Section title={t("access.title")}>
      <form ref={form} onSubmit={submit} noValidate className="grid max-w-3xl gap-5 px-4 pb-5">
        <LeaveGuard changed={access.isChanged} saved={isSaved} />
        {access.isOvertaken && (
          <ChangedElsewhere isSaving={save.isPending} onTakeTheirs={takeTheirs} onSaveMine={send} />
        )}
        <FailureCallout of={ofNetworks.length > 0 ? null : failure} />
        <fieldset className="grid gap-3">
          <legend className="sr-only">{t("access.title")}</legend>
          {audiences.map((name) => (
            <div key={name} className="grid gap-1">
              <Tick
                type="radio"
                name="audience"
                checked={audience === name}
                onChange={() => access.setAudience(name)}
              >
                <span className="text-sm font-medium">{t(`access.${name}`)}</span>
              </Tick>
              <p className="pl-6.5 text-sm text-pretty text-ink-faint">{t(`access.${name}Hint`)}</p>
            </div>
          ))}
        </fieldset>
        {audience === "password" && (
          <PasswordField
            label={t(page.hasPassword ? "access.newPassword" : "access.passwordLabel")}
            hint={page.hasPassword ? t("access.newPasswordHint") : t("access.passwordNote")}
            value={password}
            errors={fields["password"]}
            autoComplete="new-password"
            onChange={({ target }) => access.setPassword(target.value)}
          />
        )}
        {audience !== "members" && (
          <TextArea
            label={t("access.networks")}
            hint={t("access.networksHint")}
            rows={3}
            value={networks}
            errors={ofNetworks.length > 0 ? ofNetworks : undefined}
            autoCapitalize="none"
            spellCheck={false}
            onChange={({ target }) => access.setNetworks(target.value)}
          />
        )}
        <Button type="submit" className="w-fit" busy={save.isPending}>
          {t("access.save")}
        </Button>
      </form>
    </Section>
  );
}
