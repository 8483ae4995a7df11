import type { MailTexts } from "./mail-texts.ts";

/** What mail says, in Chinese; see en.ts. */
export const mails: MailTexts = {
  "reset.subject": "设置新密码",
  "reset.text": "有人（很可能是您本人）申请重置您的 Vedette 账户密码。请在一小时内设置新密码：",
  "reset.action": "设置新密码",
  "reset.ending": "此链接只能使用一次。如果不是您本人操作，请忽略此邮件，您的密码没有改变。",

  "confirm.subject": "确认新的电子邮箱地址",
  "confirm.text": "有人（很可能是您本人）希望将 {email} 用于 Vedette 账户。如果是您本人，请在一小时内确认：",
  "confirm.action": "确认此地址",
  "confirm.ending": "此链接只能使用一次。如果不是您本人操作，请忽略此邮件。",

  "changed.subject": "您的电子邮箱地址已更改",
  "changed.text": "您的 Vedette 账户现在使用电子邮箱 {email}。今后请用它登录，邮件也会发送到该地址。",
  "changed.ending": "如果不是您本人操作，请立即联系运行此 Vedette 的人。",

  "invitation.subject": "{name} 邀请您加入 {organization}",
  "invitation.text":
    "{name} 邀请您以{role:word}身份加入 Vedette 上的 {organization}。接受邀请时，您可以登录或创建账户：",
  "invitation.action": "查看邀请",
  "invitation.ending":
    "此邀请仅供 {email} 使用一次，在 {until:time} 之前有效。如果您不认识 {name}，请忽略此邮件。",

  "test.subject": "来自 Vedette 的测试邮件",
  "test.text": "这是您在 Vedette 设置中请求的邮件。您能收到它，说明 Vedette 可以发送邮件。",

  "channel_off.subject": "通知渠道“{name}”已被禁用",
  "channel_off.text": "由于对方拒绝接收消息，Vedette 已禁用渠道 {name}。{why:fact}",
  "channel_off.action": "查看通知渠道",
  "channel_off.ending":
    "请修正其设置后重新启用。在此之前每天仅尝试一次，不会以其他方式通过该渠道通知任何人。",

  "footer.text": "由 Vedette 发送：{address}",
};
