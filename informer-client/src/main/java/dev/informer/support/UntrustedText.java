/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.support;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

/**
 * Conversion of text that a server, a plugin or another process wrote, for logs, health
 * and endpoints: in one line, bounded, and without credentials.
 * <p>
 * Credentials are recognized by their form and by their names, and those that are in use
 * by their value. Thread-safe.
 */
public final class UntrustedText {

	/** Maximum length of a text. */
	public static final int MAX_LENGTH = 500;

	private static final String MASK = "***";

	/** Number of characters that are examined: more than are returned. */
	private static final int MAX_EXAMINED = 1 << 12;

	/** Minimum length of a credential that is recognized by its value. */
	private static final int MIN_CREDENTIAL = 8;

	/** Number of credentials that are known per owner. */
	private static final int MAX_CREDENTIALS = 16;

	/** From the name of a value to the value, in headers, JSON, YAML, forms and HTML. */
	private static final String TO_VALUE = "(?:[\\\\\"'\\]]{0,4}\\s{0,4}(?:=>|%3[ad]|[:=])"
			+ "|</\\w{1,9}>\\s{0,9}<\\w{1,9}[^>]{0,40}>)\\s{0,4}(?!\\*\\*\\*)";

	private static final Pattern CREDENTIAL = Pattern.compile(String.join("|",
			// these may consist of several words
			"((?:authorization|cookie2?)(?:[\\\\\"']{1,4}\\s{0,4},|" + TO_VALUE + "))(?!\\s{0,4}\\*\\*\\*)[^\\n]+",
			"((?:token|secret|passw(?:or)?d|passphrase|pwd|(?:api|access|private|account)[_-]?key|key[_-]?data"
					+ "|credentials?|signature|session[_-]?id|x-amz)(?<!serviceaccount:[\\w.-]{0,80})[\\w-]{0,40}"
					+ TO_VALUE + ")(?:(?:bearer|basic|token)\\s+)?"
					+ "(?:\\\\{0,3}\"[^\"\\n]*|\\\\{0,3}'[^'\\n]*|\\\\{0,3}[^\\s\"'<>&\\\\]+)",
			"(\\bbearer(?:\\s|%20|\\+)+)(?!token|auth|\\*\\*\\*)[^\\s\"'<>\\\\]+",
			"(\\bbasic(?:\\s|%20|\\+)+)(?!auth|constraint|\\*\\*\\*)[\\w+/=%-]{6,}", "(\\bnegotiate\\s+)[\\w+/=-]{16,}",
			"(://)(?:[^\\s/@:]*:[^\\s@]*|[^\\s/@]+)(?=@)", "-----BEGIN [\\s\\S]*?(?:-----END[^-\\n]{0,40}-----|\\z)",
			"LS0tLS1[\\w+/=]+", "(?:eyJ|ZXlK|QmVhcmVyI)[\\w.+/=%-]{10,}", "\\b(?:AKIA|ASIA)[A-Z0-9]{12,}",
			"\\bAIza[\\w-]{30,}", "\\bgh[opsur]_\\w{10,}", "\\bgithub_pat_\\w{10,}", "\\bglpat-[\\w-]{10,}",
			"\\bxox[abeprs]-[\\w-]{10,}", "\\bsha256~[\\w-]{20,}", "k8s-aws-v1\\.[\\w=-]+", "\\bya29\\.[\\w.-]+"),
			Pattern.CASE_INSENSITIVE);

	/** Invisible characters, and those that change the direction of the text. */
	private static final Pattern INVISIBLE = Pattern.compile("[\\p{Cf}\\p{Cs}]+");

	private static final Pattern LINE_BREAK = Pattern.compile("\\R");

	private static final Pattern CONTROL = Pattern.compile("[\\p{Cc}\uFFFD&&[^\n]]");

	private static final Pattern SPACE = Pattern.compile("[\\s\\p{Z}]+");

	/** Credentials by their owner; guarded by itself. */
	private static final Map<Object, Map<String, List<String>>> credentials = new WeakHashMap<>();

	/**
	 * All forms of all credentials, for reads without a lock: each invocation of a
	 * handler reads them.
	 */
	private static volatile List<String> used = List.of();

	private UntrustedText() {
	}

	/**
	 * Return a text in one line of at most {@value #MAX_LENGTH} characters; empty for
	 * {@code null}.
	 */
	public static String of(@Nullable String text) {
		return of(text, MAX_LENGTH);
	}

	/**
	 * Return a text in one line of at most {@code maxLength} characters; empty for
	 * {@code null}.
	 */
	public static String of(@Nullable String text, int maxLength) {
		if (text == null) {
			return "";
		}
		if (text.length() <= maxLength && isName(text) && withoutUsed(text).equals(text)) {
			return text;
		}
		String clean = withoutUsed(visible(text));
		return inOneLine(CREDENTIAL.matcher(clean).replaceAll(UntrustedText::masked), maxLength);
	}

	/**
	 * Return a text of this process, whose parts from others are converted already, in
	 * one line. Of credentials, only those in use are masked: the name of an informer may
	 * be that of a credential.
	 */
	public static String line(String text, int maxLength) {
		return inOneLine(withoutUsed(visible(text)), maxLength);
	}

	private static String withoutUsed(String text) {
		List<String> forms = used;
		String clean = text;
		for (String form : forms) {
			clean = clean.replace(form, MASK);
		}
		return (clean.indexOf('%') >= 0) ? withoutEncoded(clean, forms) : clean;
	}

	/**
	 * Mask credentials with percent-encoded characters, also those that were encoded
	 * several times.
	 */
	private static String withoutEncoded(String text, List<String> forms) {
		StringBuilder decoded = new StringBuilder(text);
		int[] begins = IntStream.rangeClosed(0, text.length()).toArray();
		int length;
		do {
			length = decoded.length();
			int to = 0;
			for (int from = 0; from < length; to++) {
				int encoded = (decoded.charAt(from) == '%' && from + 2 < length) ? hexadecimal(decoded, from + 1) : -1;
				begins[to] = begins[from];
				decoded.setCharAt(to, (encoded >= 0) ? (char) encoded : decoded.charAt(from));
				from += (encoded >= 0) ? 3 : 1;
			}
			begins[to] = begins[length];
			decoded.setLength(to);
		}
		while (decoded.length() < length);
		for (String form : forms) {
			int at = decoded.indexOf(form);
			if (at >= 0) {
				return withoutUsed(text.substring(0, begins[at]) + MASK + text.substring(begins[at + form.length()]));
			}
		}
		return text;
	}

	private static int hexadecimal(CharSequence text, int index) {
		int high = Character.digit(text.charAt(index), 16);
		int low = Character.digit(text.charAt(index + 1), 16);
		return (high >= 0 && low >= 0) ? high * 16 + low : -1;
	}

	/**
	 * Return whether a text has only characters of usual names of objects.
	 */
	private static boolean isName(String text) {
		for (int i = 0; i < text.length(); i++) {
			char c = text.charAt(i);
			if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '/')) {
				return false;
			}
		}
		return true;
	}

	/**
	 * Return the beginning of a text without control characters, invisible ones and those
	 * that change the direction of the text.
	 */
	private static String visible(String text) {
		String begin = text.substring(0, Math.min(text.length(), MAX_EXAMINED));
		String lines = LINE_BREAK.matcher(INVISIBLE.matcher(begin).replaceAll("")).replaceAll("\n");
		return CONTROL.matcher(lines).replaceAll(" ");
	}

	private static String masked(MatchResult matcher) {
		String name = "";
		for (int i = 1; i <= matcher.groupCount(); i++) {
			name = (matcher.group(i) != null) ? matcher.group(i) : name;
		}
		return Matcher.quoteReplacement(name + MASK);
	}

	private static String inOneLine(String text, int maxLength) {
		String line = SPACE.matcher(text).replaceAll(" ").strip();
		if (line.length() < maxLength) {
			return line;
		}
		int end = maxLength - 1;
		return line.substring(0, Character.isHighSurrogate(line.charAt(end - 1)) ? end - 1 : end).stripTrailing()
				+ '\u2026';
	}

	/**
	 * Mask credentials in all texts from now on, until their owner, the connection that
	 * uses them, is forgotten or has been collected when others change. The latest ones
	 * of each owner are known; those of less than 8 characters are ignored.
	 */
	public static void mask(Object owner, Collection<String> values) {
		synchronized (credentials) {
			Map<String, List<String>> known = credentials.computeIfAbsent(owner, (key) -> new LinkedHashMap<>());
			for (String value : values) {
				if (value.length() >= MIN_CREDENTIAL) {
					known.computeIfAbsent(value, UntrustedText::forms);
				}
			}
			Iterator<String> eldest = known.keySet().iterator();
			for (int excess = known.size() - MAX_CREDENTIALS; excess > 0; excess--) {
				eldest.next();
				eldest.remove();
			}
			used = all();
		}
	}

	/**
	 * Return the forms in which a text contains a credential: as it is, in JSON, in a
	 * URL, and anywhere in what is encoded by Base64.
	 */
	private static List<String> forms(String credential) {
		Set<String> forms = new LinkedHashSet<>(List.of(credential, credential.replace("/", "\\/"),
				URLEncoder.encode(credential, StandardCharsets.UTF_8)));
		byte[] bytes = credential.getBytes(StandardCharsets.UTF_8);
		for (int offset = 0; offset < 3; offset++) {
			byte[] shifted = new byte[offset + bytes.length];
			System.arraycopy(bytes, 0, shifted, offset, bytes.length);
			// without the characters that depend on what precedes and follows
			int begin = (offset == 0) ? 0 : offset + 1;
			int end = shifted.length * 8 / 6;
			forms.add(Base64.getEncoder().encodeToString(shifted).substring(begin, end));
			forms.add(Base64.getUrlEncoder().encodeToString(shifted).substring(begin, end));
		}
		return List.copyOf(forms);
	}

	/**
	 * Forget the credentials of an owner.
	 */
	public static void forget(Object owner) {
		synchronized (credentials) {
			credentials.remove(owner);
			used = all();
		}
	}

	private static List<String> all() {
		return credentials.values()
			.stream()
			.flatMap((known) -> known.values().stream())
			.flatMap(Collection::stream)
			.toList();
	}

}
