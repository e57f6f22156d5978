// What kind of browser this is, as far as pairing depends on it.

export interface Platform {
  /** A first name for the device. */
  name: string;
  /** On iOS only an installed app gets pushes, and it does not share the browser's keys. */
  mustInstallFirst: boolean;
}

export interface PlatformFacts {
  userAgent: string;
  touchPoints: number;
  isInstalled: boolean;
}

export function describePlatform({ userAgent, touchPoints, isInstalled }: PlatformFacts): Platform {
  // An iPad calls itself a Mac, but has a touch screen.
  const isIpad = /iPad/.test(userAgent) || (/Macintosh/.test(userAgent) && touchPoints > 1);
  const isIphone = /iPhone|iPod/.test(userAgent);
  return { name: nameOf(userAgent, { isIpad, isIphone }), mustInstallFirst: (isIpad || isIphone) && !isInstalled };
}

function nameOf(userAgent: string, { isIpad, isIphone }: { isIpad: boolean; isIphone: boolean }): string {
  if (isIphone) return 'iPhone';
  if (isIpad) return 'iPad';
  if (/Android/.test(userAgent)) return /Mobile/.test(userAgent) ? 'Android phone' : 'Android tablet';
  const browser = /Firefox\//.test(userAgent)
    ? 'Firefox'
    : /Edg\//.test(userAgent)
      ? 'Edge'
      : /Chrom(e|ium)\//.test(userAgent)
        ? 'Chrome'
        : /Safari\//.test(userAgent)
          ? 'Safari'
          : 'Browser';
  const system = /Macintosh/.test(userAgent)
    ? 'Mac'
    : /Windows/.test(userAgent)
      ? 'Windows'
      : /Linux|CrOS/.test(userAgent)
        ? 'Linux'
        : 'this computer';
  return `${browser} on ${system}`;
}

export function readPlatform(): Platform {
  const isInstalled =
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Of iOS alone, so not in the types.
    matchMedia('(display-mode: standalone)').matches || (navigator as { standalone?: boolean }).standalone === true;
  return describePlatform({ userAgent: navigator.userAgent, touchPoints: navigator.maxTouchPoints, isInstalled });
}
