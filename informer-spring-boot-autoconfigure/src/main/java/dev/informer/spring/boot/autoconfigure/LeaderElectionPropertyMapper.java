/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

import dev.informer.TimeSource;
import dev.informer.leader.LeaderElectionOptions;
import dev.informer.spring.InvalidInformerPropertyException;
import dev.informer.spring.LeaderElections;
import dev.informer.spring.config.Names;
import org.jspecify.annotations.Nullable;

/**
 * Maps {@link LeaderProperties} to {@link LeaderElectionOptions}, and validates them.
 */
final class LeaderElectionPropertyMapper {

	private static final String PREFIX = "informer.leader";

	private static final Pattern LEASE_NAME = Pattern
		.compile("(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

	private final LeaderProperties properties;

	private final ReplicaDefaults defaults;

	LeaderElectionPropertyMapper(LeaderProperties properties, ReplicaDefaults defaults) {
		this.properties = properties;
		this.defaults = defaults;
	}

	/**
	 * Map all elections.
	 * @return the options, those of the default election first; empty if leader election
	 * is disabled
	 * @throws InvalidInformerPropertyException if a property is invalid
	 */
	List<LeaderElectionOptions> options() {
		validateNotNegative(PREFIX, this.properties);
		this.properties.getElections()
			.forEach((name, election) -> validateNotNegative(PREFIX + ".elections." + name, election));
		List<LeaderElectionOptions> options = new ArrayList<>();
		if (this.properties.isEnabled()) {
			options.add(options(LeaderElections.DEFAULT, PREFIX, this.properties));
			this.properties.getElections().forEach((name, election) -> {
				checkName(name);
				options.add(options(name, PREFIX + ".elections." + name, election));
			});
		}
		return options;
	}

	private LeaderElectionOptions options(String name, String prefix, LeaderElectionProperties election) {
		String namespace = first(election.getLeaseNamespace(), this.properties.getLeaseNamespace());
		Duration leaseDuration = first(election.getLeaseDuration(), this.properties.getLeaseDuration());
		Duration renewDeadline = first(election.getRenewDeadline(), this.properties.getRenewDeadline());
		Duration retryPeriod = first(election.getRetryPeriod(), this.properties.getRetryPeriod());
		try {
			return new LeaderElectionOptions(name, leaseName(name, prefix, election.getLeaseName()),
					this.defaults.namespace(namespace), this.defaults.identity(),
					(leaseDuration != null) ? leaseDuration : Duration.ofSeconds(15),
					(renewDeadline != null) ? renewDeadline : Duration.ofSeconds(10),
					(retryPeriod != null) ? retryPeriod : Duration.ofSeconds(2));
		}
		catch (IllegalArgumentException ex) {
			throw InvalidInformerPropertyException.of(prefix, ex);
		}
	}

	private static void validateNotNegative(String prefix, LeaderElectionProperties election) {
		validateNotNegative(prefix + ".lease-duration", election.getLeaseDuration());
		validateNotNegative(prefix + ".renew-deadline", election.getRenewDeadline());
		validateNotNegative(prefix + ".retry-period", election.getRetryPeriod());
	}

	static void validateNotNegative(String key, @Nullable Duration duration) {
		if (duration != null && duration.isNegative()) {
			throw new InvalidInformerPropertyException(key,
					"the duration must not be negative, but is " + TimeSource.millis(duration) + " ms",
					"Set a duration such as 15s.");
		}
	}

	private static <V> @Nullable V first(@Nullable V value, @Nullable V fallback) {
		return (value != null) ? value : fallback;
	}

	private String leaseName(String name, String prefix, @Nullable String configured) {
		String key = prefix + ".lease-name";
		String lease = configured;
		if (lease == null) {
			lease = this.defaults.applicationName(key).toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9.-]", "-");
			lease += name.equals(LeaderElections.DEFAULT) ? "" : "-" + name;
		}
		if (!LEASE_NAME.matcher(lease).matches()) {
			throw new InvalidInformerPropertyException(key,
					"'" + lease + "' is not a valid name of a Lease, which has lowercase letters, digits, dashes and "
							+ "dots, and begins and ends with a letter or digit",
					"Set " + key + " to such a name.");
		}
		return lease;
	}

	private static void checkName(String name) {
		if (!Names.isSimple(name) || name.equals(LeaderElections.DEFAULT)) {
			throw new InvalidInformerPropertyException(PREFIX + ".elections." + name,
					"'" + name + "' is not a valid name of a further election, which consists of lowercase letters "
							+ "and digits, starts with a letter and is not '" + LeaderElections.DEFAULT + "'",
					"Choose another name; the properties of the default election are directly below " + PREFIX + ".");
		}
	}

}
