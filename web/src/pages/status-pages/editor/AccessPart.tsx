import { type FormEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { type StatusPage, type StatusPageChange, useChangeStatusPage } from "../../../api/status-pages.ts";
import { Button } from "../../../components/Button.tsx";
import { FailureNotice } from "../../../components/FailureNotice.tsx";
import { PasswordField } from "../../../components/Field.tsx";
import { Section } from "../../../components/Section.tsx";
import { TextArea } from "../../../components/TextArea.tsx";
import { showToast } from "../../../components/toasts.ts";
import { useFormErrors } from "../../../components/use-form-errors.ts";
import { LeaveGuard } from "../../../forms/LeaveGuard.tsx";
import { Tick } from "../../../forms/Tick.tsx";
import type { OwnPartProps } from "./part-props.ts";

const audiences = ["everyone", "password", "members"] as const;
type Audience = (typeof audiences)[number];

const accessOf = (page: StatusPage): { audience: Audience; networks: string } => ({
  audience: !page.isPublic ? "members" : page.hasPassword ? "password" : "everyone",
  networks: page.allowedNetworks.join("\n"),
});

/** Who may see a page. It is saved by itself, so that nobody opens or closes a page unawares. */
export function AccessPart({ page, onSaved }: OwnPartProps) {
  const { t } = useTranslation("status-pages/editor");
  const save = useChangeStatusPage(page.id);
  const [first] = useState(() => accessOf(page));
  const [audience, setAudience] = useState(first.audience);
  const [password, setPassword] = useState("");
  const [networks, setNetworks] = useState(first.networks);
  const isChanged = audience !== first.audience || password !== "" || networks !== first.networks;
  const isSaved = useRef(false);
  const { form, fields, failure } = useFormErrors(save.error, ["password", "allowedNetworks"]);
  const ofNetworks = Object.entries(fields).flatMap(([name, said]) =>
    name.startsWith("allowedNetworks") ? said : [],
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const change: StatusPageChange = {
      isPublic: audience !== "members",
      allowedNetworks: audience === "members" ? [] : networks.split(/[\s,]+/).filter((one) => one !== ""),
      ...(audience === "password"
        ? (password !== "" || !page.hasPassword) && { password }
        : { password: null }),
    };
    save.mutate(change, {
      onSuccess: (saved) => {
        isSaved.current = true;
        showToast("success", t("access.saved"));
        onSaved(saved);
      },
    });
  };
  return (
    <Section title={t("access.title")}>
      <form ref={form} onSubmit={submit} noValidate className="grid max-w-3xl gap-5 px-4 pb-5">
        <LeaveGuard changed={isChanged} saved={isSaved} />
        <FailureNotice of={ofNetworks.length > 0 ? null : failure} />
        <fieldset className="grid gap-3">
          <legend className="sr-only">{t("access.title")}</legend>
          {audiences.map((name) => (
            <div key={name} className="grid gap-1">
              <Tick
                type="radio"
                name="audience"
                checked={audience === name}
                onChange={() => setAudience(name)}
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
            onChange={({ target }) => setPassword(target.value)}
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
            onChange={({ target }) => setNetworks(target.value)}
          />
        )}
        <Button type="submit" className="w-fit" busy={save.isPending}>
          {t("access.save")}
        </Button>
      </form>
    </Section>
  );
}
