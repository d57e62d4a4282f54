/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure;

import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

import dev.informer.shard.ShardingOptions;
import dev.informer.spring.InvalidInformerPropertyException;

/**
 * Maps {@link ShardingProperties} to {@link ShardingOptions}, and validates them.
 */
final class ShardingPropertyMapper {

	private static final String PREFIX = "informer.sharding";

	private final ShardingProperties properties;

	private final ReplicaDefaults defaults;

	ShardingPropertyMapper(ShardingProperties properties, ReplicaDefaults defaults) {
		this.properties = properties;
		this.defaults = defaults;
	}

	/**
	 * Map the options.
	 * @return the options; empty if sharding is disabled
	 * @throws InvalidInformerPropertyException if a property is invalid
	 */
	Optional<ShardingOptions> options() {
		LeaderElectionPropertyMapper.validateNotNegative(PREFIX + ".lease-duration",
				this.properties.getLeaseDuration());
		LeaderElectionPropertyMapper.validateNotNegative(PREFIX + ".renew-deadline",
				this.properties.getRenewDeadline());
		LeaderElectionPropertyMapper.validateNotNegative(PREFIX + ".retry-period", this.properties.getRetryPeriod());
		if (!this.properties.isEnabled()) {
			return Optional.empty();
		}
		try {
			return Optional
				.of(new ShardingOptions(group(), this.defaults.namespace(this.properties.getLeaseNamespace()),
						Objects.requireNonNullElse(this.properties.getIdentity(), this.defaults.identity()),
						this.properties.getSlots(), this.properties.getBy(), this.properties.getLeaseDuration(),
						this.properties.getRenewDeadline(), this.properties.getRetryPeriod()));
		}
		catch (IllegalArgumentException ex) {
			throw InvalidInformerPropertyException.of(PREFIX, ex);
		}
	}

	private String group() {
		String key = PREFIX + ".group";
		String group = this.properties.getGroup();
		if (group == null) {
			group = this.defaults.applicationName(key).toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9-]", "-");
		}
		if (!InformerSettingsPropertyMapper.DNS_LABEL.matcher(group).matches()) {
			throw new InvalidInformerPropertyException(key,
					"'" + group + "' is not a valid name of a group, which has at most 63 lowercase letters, digits "
							+ "and dashes, and begins and ends with a letter or digit",
					"Set " + key + " to such a name.");
		}
		return group;
	}

}
