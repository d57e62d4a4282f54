/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.lease;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.regex.Pattern;

import dev.informer.InvalidOptionException;
import dev.informer.support.UntrustedText;
import io.kubernetes.client.openapi.models.V1Lease;
import io.kubernetes.client.openapi.models.V1LeaseSpec;
import org.jspecify.annotations.Nullable;

/**
 * Content of a Lease. Its times are those of the clock of its holder: they are compared
 * for equality only.
 *
 * @param holder the identity of the holder, for comparisons only; empty for none
 * @param durationSeconds the time that the holder claims the Lease for; 0 if it is absent
 * @param transitions the number of changes of the holder
 * @param slots the slots that the holder claims, as text; empty for none
 */
public record LeaseRecord(String holder, int durationSeconds, @Nullable Instant acquireTime,
		@Nullable Instant renewTime, int transitions, String slots) {

	/** Annotation with the slots. */
	static final String SLOTS = "informer.dev/slots";

	/** A label value and, with a suffix, the name of a Lease; the name of a namespace. */
	private static final Pattern DNS_LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");

	private static final int MAX_IDENTITY = UntrustedText.MAX_LENGTH;

	/** Maximum length of a text that is kept as it is: longer than any of a member. */
	private static final int MAX_KEPT = 1_500;

	/**
	 * Create a content without slots.
	 */
	public LeaseRecord(String holder, int durationSeconds, @Nullable Instant acquireTime, @Nullable Instant renewTime,
			int transitions) {
		this(holder, durationSeconds, acquireTime, renewTime, transitions, "");
	}

	/**
	 * Require an identity that other processes keep and print as it is.
	 * @throws InvalidOptionException if it is empty or too long
	 */
	public static void requireIdentity(String identity) {
		if (identity.isBlank()) {
			throw new InvalidOptionException("identity", "must not be empty");
		}
		if (identity.length() > MAX_IDENTITY) {
			throw new InvalidOptionException("identity",
					"must have at most " + MAX_IDENTITY + " characters, but has " + identity.length());
		}
	}

	/**
	 * Require the name of a namespace, or of a group.
	 * @throws InvalidOptionException if it is invalid
	 */
	public static void requireLabel(String option, String value) {
		if (!DNS_LABEL.matcher(value).matches()) {
			throw new InvalidOptionException(option, "must consist of at most 63 lower case letters, digits and "
					+ "hyphens, and begin and end with a letter or digit, but is '" + value + "'");
		}
	}

	static LeaseRecord of(V1Lease lease) {
		V1LeaseSpec spec = (lease.getSpec() != null) ? lease.getSpec() : new V1LeaseSpec();
		return new LeaseRecord(kept(spec.getHolderIdentity()), valueOf(spec.getLeaseDurationSeconds()),
				instant(spec.getAcquireTime()), instant(spec.getRenewTime()), valueOf(spec.getLeaseTransitions()),
				slots(lease));
	}

	private static String slots(V1Lease lease) {
		Map<String, String> annotations = (lease.getMetadata() != null) ? lease.getMetadata().getAnnotations() : null;
		return kept((annotations != null) ? annotations.get(SLOTS) : null);
	}

	/**
	 * Return the text, or the beginning and the hash of one that is too long: no member
	 * has written it, but a change of it has to be seen.
	 */
	private static String kept(@Nullable String text) {
		if (text == null || text.length() <= MAX_KEPT) {
			return (text != null) ? text : "";
		}
		return text.substring(0, MAX_KEPT) + Integer.toHexString(text.hashCode());
	}

	private static int valueOf(@Nullable Integer number) {
		return (number != null) ? number : 0;
	}

	private static @Nullable Instant instant(@Nullable OffsetDateTime time) {
		return (time != null) ? time.toInstant() : null;
	}

	/**
	 * Return the content of the Lease without a holder and without slots.
	 */
	public LeaseRecord released() {
		int colon = this.slots.indexOf(':');
		return new LeaseRecord("", 1, this.acquireTime, this.renewTime, this.transitions,
				this.slots.substring(0, colon + 1) + this.slots.substring(colon + 1).replaceAll(".", "0"));
	}

	/**
	 * Return the holder as another process has written it, for logs, health and
	 * endpoints: in one line, bounded and without credentials.
	 */
	public String printedHolder() {
		return UntrustedText.of(this.holder);
	}

	/**
	 * Return whether a process holds the Lease.
	 */
	public boolean isHeldBy(String identity) {
		return this.holder.equals(identity);
	}

}
