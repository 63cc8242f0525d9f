//! The algorithm lists we offer, narrowed by what the configuration asks for and ordered by what is recorded.

use russh::keys::{Algorithm, EcdsaCurve, HashAlg};
use russh::{Preferred, cipher, compression, kex, mac};

use super::Algorithms;
use crate::reading::{Reason, Unread};

/// Key exchanges, cheap and modern ones first. NIST curves are wanted by FIPS servers, which russh's own list refuses.
const KEX: &[kex::Name] = &[
    kex::MLKEM768X25519_SHA256,
    kex::CURVE25519,
    kex::CURVE25519_PRE_RFC_8731,
    kex::ECDH_SHA2_NISTP256,
    kex::ECDH_SHA2_NISTP384,
    kex::ECDH_SHA2_NISTP521,
    kex::DH_G16_SHA512,
    kex::DH_G14_SHA256,
    kex::DH_GEX_SHA256,
];

/// Key exchanges that are used only where the configuration names them.
const KEX_ON_REQUEST: &[kex::Name] =
    &[kex::DH_G14_SHA1, kex::DH_G15_SHA512, kex::DH_G17_SHA512, kex::DH_G18_SHA512, kex::DH_GEX_SHA1];

const CIPHERS: &[cipher::Name] = &[
    cipher::AES_256_GCM,
    cipher::AES_128_GCM,
    cipher::CHACHA20_POLY1305,
    cipher::AES_256_CTR,
    cipher::AES_192_CTR,
    cipher::AES_128_CTR,
];

const MACS: &[mac::Name] = &[mac::HMAC_SHA256_ETM, mac::HMAC_SHA512_ETM, mac::HMAC_SHA256, mac::HMAC_SHA512];

const MACS_ON_REQUEST: &[mac::Name] = &[mac::HMAC_SHA1_ETM, mac::HMAC_SHA1];

const HOST_KEYS: &[Algorithm] = &[
    Algorithm::Ed25519,
    Algorithm::Ecdsa { curve: EcdsaCurve::NistP256 },
    Algorithm::Ecdsa { curve: EcdsaCurve::NistP384 },
    Algorithm::Ecdsa { curve: EcdsaCurve::NistP521 },
    Algorithm::Rsa { hash: Some(HashAlg::Sha512) },
    Algorithm::Rsa { hash: Some(HashAlg::Sha256) },
];

/// The lists for one host. `recorded` are the key types that known_hosts has for it, `authorities` whether one may
/// vouch for it.
pub(crate) fn preferred(wanted: &Algorithms, recorded: &[Algorithm], authorities: bool) -> Result<Preferred, Unread> {
    let mut kexes = choose("KexAlgorithms", wanted.kex.as_deref(), KEX, KEX_ON_REQUEST)?;
    kexes.extend([kex::EXTENSION_SUPPORT_AS_CLIENT, kex::EXTENSION_OPENSSH_STRICT_KEX_AS_CLIENT]);
    let ciphers = choose("Ciphers", wanted.ciphers.as_deref(), CIPHERS, &[])?;
    let macs = choose("MACs", wanted.macs.as_deref(), MACS, MACS_ON_REQUEST)?;
    let keys = host_keys(wanted.host_keys.as_deref(), recorded)?;
    let certificates = if authorities { keys.clone() } else { Vec::new() };
    Ok(Preferred {
        kex: kexes.into(),
        key: keys.into(),
        host_key_certificates: certificates.into(),
        cipher: ciphers.into(),
        mac: macs.into(),
        compression: vec![compression::NONE].into(),
    })
}

fn choose<T: AsRef<str> + Copy>(
    setting: &str,
    wanted: Option<&[String]>,
    ours: &[T],
    on_request: &[T],
) -> Result<Vec<T>, Unread> {
    let Some(wanted) = wanted else { return Ok(ours.to_vec()) };
    let known = || ours.iter().chain(on_request);
    let chosen: Vec<T> = wanted.iter().filter_map(|name| known().find(|own| own.as_ref() == name).copied()).collect();
    if chosen.is_empty() {
        let have: Vec<&str> = known().map(AsRef::as_ref).collect();
        return Err(none_left(setting, &have));
    }
    Ok(chosen)
}

fn none_left(setting: &str, have: &[&str]) -> Unread {
    let detail = format!("ssh_config `{setting}` names nothing that gpusweep has ({})", have.join(","));
    Unread::new(Reason::ConfigRefused, detail)
}

/// Recorded types first, as OpenSSH orders them: else a host recorded by its RSA key alone would look unknown.
fn host_keys(wanted: Option<&[String]>, recorded: &[Algorithm]) -> Result<Vec<Algorithm>, Unread> {
    let allowed: Vec<Algorithm> = match wanted {
        None => HOST_KEYS.to_vec(),
        Some(wanted) => {
            let find = |name: &String| HOST_KEYS.iter().find(|own| own.as_str() == name).cloned();
            wanted.iter().filter_map(find).collect()
        }
    };
    if allowed.is_empty() {
        return Err(none_left("HostKeyAlgorithms", &HOST_KEYS.iter().map(Algorithm::as_str).collect::<Vec<_>>()));
    }
    let is_recorded =
        |own: &Algorithm| recorded.iter().any(|kind| kind == own || (kind.is_rsa_family() && own.is_rsa_family()));
    let (mut first, rest): (Vec<_>, Vec<_>) = allowed.into_iter().partition(|own| is_recorded(own));
    first.extend(rest);
    Ok(first)
}

trait Family {
    fn is_rsa_family(&self) -> bool;
}

impl Family for Algorithm {
    fn is_rsa_family(&self) -> bool {
        matches!(self, Self::Rsa { .. })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recorded_types_come_first() {
        let keys = host_keys(None, &[Algorithm::Rsa { hash: None }]).unwrap();
        assert_eq!(keys[0], Algorithm::Rsa { hash: Some(HashAlg::Sha512) });
        assert_eq!(keys[2], Algorithm::Ed25519);
        assert_eq!(keys.len(), HOST_KEYS.len());
    }

    #[test]
    fn a_configured_list_narrows_and_orders_and_an_empty_one_is_refused() {
        let wanted = |list: &str| Algorithms {
            kex: Some(list.split(',').map(str::to_owned).collect()),
            ..Algorithms::default()
        };
        let chosen =
            preferred(&wanted("sntrup761x25519-sha512,ecdh-sha2-nistp384,curve25519-sha256"), &[], false).unwrap();
        assert_eq!(chosen.kex[..2], [kex::ECDH_SHA2_NISTP384, kex::CURVE25519]);
        let refused = preferred(&wanted("sntrup761x25519-sha512"), &[], false).unwrap_err();
        assert_eq!(refused.reason, Reason::ConfigRefused);
        assert!(refused.detail.contains("KexAlgorithms"));
    }

    #[test]
    fn certificates_are_asked_for_only_where_an_authority_is_recorded() {
        assert!(preferred(&Algorithms::default(), &[], false).unwrap().host_key_certificates.is_empty());
        assert!(!preferred(&Algorithms::default(), &[], true).unwrap().host_key_certificates.is_empty());
    }
}
