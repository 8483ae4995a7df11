/** See ../en.ts for the slots. */
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

export const heartbeats = {
  "timeout.heartbeat":
    "No heartbeat came in time: one is expected every {interval:duration}, with {grace:duration} of grace.",
  "timeout.silent":
    "No heartbeat since {last:time}: one is expected every {interval:duration}, with {grace:duration} of grace.",
  "timeout.exit":
    "The job ended with exit code {exit} at {last:time}; no heartbeat since: one is expected every {interval:duration}, with {grace:duration} of grace.",
  "timeout.failed":
    "The job reported at {last:time} that it failed; no heartbeat since: one is expected every {interval:duration}, with {grace:duration} of grace.",
  "timeout.due":
    "No heartbeat for the run that was due at {due:time}, nor in the {grace:duration} of grace after it.",
  "timeout.overdue":
    "No heartbeat for the run that was due at {due:time}, nor in the {grace:duration} of grace after it. The last one came at {last:time}.",
  "timeout.exit_overdue":
    "The job ended with exit code {exit} at {last:time}; no heartbeat since: a run was due at {due:time}, with {grace:duration} of grace.",
  "timeout.failed_overdue":
    "The job reported at {last:time} that it failed; no heartbeat since: a run was due at {due:time}, with {grace:duration} of grace.",
  "timeout.run": "The run that started at {start:time} has not ended: it may take {limit:duration}.",
  "job.failed": "The job reported that it failed.",
  "job.exit": "The job ended with exit code {exit}.",
  "input.cron":
    "The schedule must be a cron expression of five fields (minute, hour, day, month, day of the week), such as 0 3 * * *.",
  "input.cron_never": "This cron expression never fires: no such day exists.",
  "interval.cron":
    "The {plan} plan allows at most one run every {limit} seconds; this cron expression fires every {interval} seconds.",
} as const;

export const maintenance = {
  "maintenance.rule":
    "This is not a recurrence rule that can be used. Write one such as FREQ=WEEKLY;BYDAY=SU, at most once a day, without DTSTART.",
  "maintenance.rule_never": "This rule never comes true.",
  "maintenance.rule_ends": "A recurrence rule has COUNT or UNTIL, not both.",
  "maintenance.overlap":
    "A window may not last longer than the time to the next one, which here is {gap:duration}.",
  "maintenance.nothing": "Say what it is for: everything, tags, or single monitors.",
  "maintenance.until": "The end must be later than the start.",
  "maintenance.span": "At most {days} days at a time.",
  "maintenance.far": "At most ten years from now.",
  "maintenance.past":
    "This time is over already. A window counts from now on: let it begin later, or last longer.",
  "maintenance.never": "With these settings the window never opens.",
  "maintenance.not_open": "It is not open at the moment, so there is nothing to end.",
  "maintenance.no_occurrence": "No occurrence that could be skipped begins at that time.",
  "maintenance.many": "An organization can have {limit} windows that are open or still to come.",
  "maintenance.monitor": "There is no domain, service or device with the id {id}.",
} as const;

export const expectations = {
  status: "The server answered {status}; expected {expected}.",
  "status.login": '{where} refused the login: "{said}".',
  "status.dns": "{where} answered {code} for {name}.",
  "status.upgrade": "{where} answered HTTP {status} instead of opening a WebSocket.",
  "status.topic": "{where} does not let that user subscribe to {topic}.",
  "status.method": "{where} wants a login by {method}, which is not supported.",
  "status.grpc_http": "{where} answered HTTP {status}, which is not a gRPC answer.",
  "status.grpc_health": "{where} does not offer the health service (grpc.health.v1).",
  "status.no_login": "{where} offers no way to log in with a password.",
  "status.no_password": "{where} requires a password, and none is set.",
  "status.iterations": "{where} requires more than {count} SCRAM iterations at the login.",
  "status.error": '{where} answered with an error: "{said}".',
  "assertion.forbidden": 'The body contains "{text}", which it must not.',
  "assertion.missing": 'The body does not contain "{text}".',
  "assertion.missing_start": 'The first megabyte of the body does not contain "{text}".',
  "assertion.json_size": "The body is larger than one megabyte, too large to be read as JSON.",
  "assertion.not_json": "The body is not valid JSON.",
  "assertion.no_value": "The JSON body has nothing at {path}.",
  "assertion.value": "{path} is {actual}; expected {operator:word}.",
  "assertion.length": "{path} has the length {actual}; expected {operator:word}.",
  "assertion.present": "There is something at {path}, where nothing must be.",
  "assertion.array": "{path} is an array; expected {operator:word}.",
  "assertion.object": "{path} is an object; expected {operator:word}.",
  "assertion.no_header": "The answer has no header {name}.",
  "assertion.header": "The header {name} is {actual}; expected {operator:word}.",
  "assertion.expect_datagram": '{where} answered "{said}", without the expected "{wanted}".',
  "assertion.dns_missing": "{where} does not know the name {name}.",
  "assertion.dns_empty": "{where} has no {type} record for {name}.",
  "assertion.dns_stray": "{where} sent {type} records of {found}, to which no alias of {name} leads.",
  "assertion.dns": '{where} answered "{found}", not the expected "{expected}".',
  "assertion.dnssec": "{where} did not vouch for {name} by DNSSEC.",
  "assertion.fingerprint": "{where} showed the host key {found}, not the expected {expected}.",
  "assertion.health": "{where} says that it is {status}, not SERVING.",
  "assertion.loss": "{loss}% of the pings to {where} went unanswered, more than {most}%.",
  "assertion.role": "{where} says that it is {found} in its replica set, not {expected}.",
  "assertion.key_missing": "{where} has nothing under that key.",
  "assertion.key": '{where} has "{found}" under that key, not the expected "{expected}".',
  "assertion.query": 'The query on {where} returned "{found}" instead of the expected "{expected}".',
  "assertion.query_null": 'The query on {where} returned NULL instead of the expected "{expected}".',
  "assertion.query_empty": 'The query on {where} returned no row instead of the expected "{expected}".',
  "assertion.expect_within": '{where} sent "{said}", but not the expected "{wanted}", within {size} KiB.',
  "assertion.message_closed": '{where} closed the connection without a message; "{wanted}" was expected.',
  "assertion.expect_closed":
    '{where} sent "{said}", but not the expected "{wanted}", and closed the connection.',
  "operator.eq": "exactly {expected}",
  "operator.ne": "anything but {expected}",
  "operator.gt": "more than {expected}",
  "operator.gte": "at least {expected}",
  "operator.lt": "less than {expected}",
  "operator.lte": "at most {expected}",
  "operator.contains": "something containing {expected}",
  "operator.matches": "text that matches {expected}",
  "operator.not_matches": "text that does not match {expected}",
  slow: "The answer took {took} ms, more than the limit of {limit} ms.",
} as const;
