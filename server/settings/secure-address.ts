/** Whether what travels to an address can be read by nobody on the way: https, or no way at all. */
export const isSecureAddress = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))

const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
