/** What is said of devices, in English (see ../en.ts for the slots). */
export const devices = {
  "health.cpu": "The processor has been {percent} % busy for five minutes; {limit} % is {level:word}.",
  "health.memory": "{percent} % of the memory is in use; {limit} % is {level:word}.",
  "health.disk": "The disk {path} is {percent} % full; {limit} % is {level:word}.",
  "health.more": "{problems:count}",
  "problems.one": "There is {problems} more problem.",
  "problems.other": "There are {problems} more problems.",
  "level.warning": "a warning",
  "level.critical": "critical",
  "timeout.agent": "The agent has not reported for {silence:duration}.",
  "timeout.agent_silent": "The agent has not reported since {last:time}.",
  "device.rival":
    "Another agent reports with this token, from another machine or another copy of this one. Each device needs a token of its own.",
  "device.thresholds": "The critical threshold must not be below the warning, which is {warning} %.",
  "link.kind": "{name} is a device; only domains and services can be linked to a device.",
} as const;
