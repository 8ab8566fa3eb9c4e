/** Whether nobody can read the data sent to an address on the way: the address uses https, or is on this machine. */
export const isSecureAddress = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))

const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
