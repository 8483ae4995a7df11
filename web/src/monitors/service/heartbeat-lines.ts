/** Where a job runs. */
export const HEARTBEAT_PLACES = ["shell", "cron", "systemd", "github", "kubernetes", "powershell"] as const;
export type HeartbeatPlace = (typeof HEARTBEAT_PLACES)[number];

interface Job {
  /** That takes its heartbeats. */
  address: string;
  /** When it runs, where that is known. */
  cron: string | undefined;
  timeZone: string | undefined;
}

const CURL = "curl -fsS -m 10 --retry 5 -o /dev/null";
const SCRIPT = "/usr/local/bin/backup.sh";

/** The lines by which a job reports, to be pasted where it runs, around a sample command. */
export const heartbeatLines = (place: HeartbeatPlace, job: Job): string => LINES[place](job).join("\n");

const LINES: Readonly<Record<HeartbeatPlace, (job: Job) => string[]>> = {
  shell: ({ address }) => [`${CURL} ${address}/start`, SCRIPT, `${CURL} ${address}/$?`],
  cron: ({ address, cron = "0 3 * * *", timeZone }) => [
    ...(timeZone === undefined ? [] : [`CRON_TZ=${timeZone}`]),
    `${cron} ${SCRIPT}; ${CURL} ${address}/$?`,
  ],
  systemd: ({ address }) => [
    "[Unit]",
    "Description=Backup",
    "",
    "[Service]",
    "Type=oneshot",
    `ExecStartPre=-/usr/bin/${CURL} ${address}/start`,
    `ExecStart=${SCRIPT}`,
    `ExecStopPost=-/bin/sh -c '[ "$$EXIT_CODE" = exited ] || EXIT_STATUS=fail; ${CURL} ${address}/$$EXIT_STATUS'`,
  ],
  github: () => [
    "- name: Report to Vedette",
    "  if: always()",
    "  env:",
    "    HEARTBEAT_URL: ${{ secrets.HEARTBEAT_URL }}",
    "    RESULT: ${{ job.status == 'success' && '0' || 'fail' }}",
    `  run: ${CURL} "$HEARTBEAT_URL/$RESULT"`,
  ],
  kubernetes: ({ address, cron = "0 3 * * *", timeZone }) => [
    "apiVersion: batch/v1",
    "kind: CronJob",
    "metadata:",
    "  name: backup",
    "spec:",
    `  schedule: "${cron}"`,
    ...(timeZone === undefined ? [] : [`  timeZone: ${timeZone}`]),
    "  jobTemplate:",
    "    spec:",
    "      template:",
    "        spec:",
    "          restartPolicy: Never",
    "          containers:",
    "            - name: backup",
    "              image: registry.example.com/backup",
    "              env:",
    "                - name: HEARTBEAT_URL",
    `                  value: ${address}`,
    '              command: ["/bin/sh", "-c"]',
    "              args:",
    "                - |",
    `                  ${CURL} "$HEARTBEAT_URL/start"`,
    `                  ${SCRIPT}`,
    "                  code=$?",
    `                  ${CURL} "$HEARTBEAT_URL/$code"`,
    "                  exit $code",
  ],
  powershell: ({ address }) => [
    `Invoke-RestMethod "${address}/start" -TimeoutSec 10 | Out-Null`,
    "& C:\\Scripts\\backup.ps1",
    "$code = if ($?) { 0 } else { 1 }",
    `Invoke-RestMethod "${address}/$code" -TimeoutSec 10 | Out-Null`,
  ],
};
