/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.replicas;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

import dev.informer.leader.LeaderElectionOptions;
import dev.informer.shard.ShardingOptions;
import dev.informer.spring.InvalidInformerPropertyException;
import dev.informer.spring.LeaderElections;
import dev.informer.spring.config.InformerProperties;
import dev.informer.spring.config.InformerProperties.Election;
import dev.informer.spring.config.InformerProperties.Leader;
import dev.informer.spring.config.InformerProperties.Sharding;
import dev.informer.spring.config.Names;
import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;

/**
 * Maps the properties of leader elections and of sharding to their options, and validates
 * them.
 */
final class ReplicaPropertyMapper {

	private static final String LEADER = "informer.leader";

	private static final String SHARDING = "informer.sharding";

	/** Identity that no other process has, also not a restarted container of a pod. */
	private final String identity = hostName() + "_" + UUID.randomUUID();

	private final InformerProperties properties;

	private final @Nullable String application;

	private final Supplier<String> currentNamespace;

	/**
	 * Create a mapper. The name of the application is {@code null} if it has none.
	 */
	ReplicaPropertyMapper(InformerProperties properties, @Nullable String application,
			Supplier<String> currentNamespace) {
		this.properties = properties;
		this.application = application;
		this.currentNamespace = currentNamespace;
	}

	private static String hostName() {
		String name = System.getenv("HOSTNAME");
		try {
			return StringUtils.hasText(name) ? name : InetAddress.getLocalHost().getHostName();
		}
		catch (UnknownHostException ex) {
			return "unknown";
		}
	}

	/**
	 * Map all elections, the default one first; none if leader election is disabled.
	 */
	List<LeaderElectionOptions> elections() {
		Leader leader = this.properties.leader();
		List<LeaderElectionOptions> options = new ArrayList<>();
		if (!leader.enabled()) {
			return options;
		}
		options
			.add(election(LeaderElections.DEFAULT, LEADER, new Election(leader.leaseName(), null, null, null, null)));
		leader.elections().forEach((name, election) -> {
			if (!Names.isSimple(name) || name.equals(LeaderElections.DEFAULT)) {
				throw new InvalidInformerPropertyException(LEADER + ".elections." + name,
						"'" + name + "' is not a valid name of a further election, which consists of lowercase letters "
								+ "and digits, starts with a letter and is not '" + LeaderElections.DEFAULT + "'",
						"Choose another name; the properties of the default election are directly below " + LEADER
								+ ".");
			}
			options.add(election(name, LEADER + ".elections." + name, election));
		});
		return options;
	}

	private LeaderElectionOptions election(String name, String prefix, Election election) {
		Leader leader = this.properties.leader();
		try {
			return new LeaderElectionOptions(name,
					name(prefix + ".lease-name", election.leaseName(),
							name.equals(LeaderElections.DEFAULT) ? "" : "-" + name, "[^a-z0-9.-]"),
					namespace(
							(election.leaseNamespace() != null) ? election.leaseNamespace() : leader.leaseNamespace()),
					this.identity, Objects.requireNonNullElse(election.leaseDuration(), leader.leaseDuration()),
					Objects.requireNonNullElse(election.renewDeadline(), leader.renewDeadline()),
					Objects.requireNonNullElse(election.retryPeriod(), leader.retryPeriod()));
		}
		catch (IllegalArgumentException ex) {
			throw InvalidInformerPropertyException.of(prefix, ex);
		}
	}

	Optional<ShardingOptions> sharding() {
		Sharding sharding = this.properties.sharding();
		if (!sharding.enabled()) {
			return Optional.empty();
		}
		try {
			return Optional.of(new ShardingOptions(name(SHARDING + ".group", sharding.group(), "", "[^a-z0-9-]"),
					namespace(sharding.leaseNamespace()),
					Objects.requireNonNullElse(sharding.identity(), this.identity), sharding.slots(), sharding.by(),
					sharding.leaseDuration(), sharding.renewDeadline(), sharding.retryPeriod()));
		}
		catch (IllegalArgumentException ex) {
			throw InvalidInformerPropertyException.of(SHARDING, ex);
		}
	}

	private String name(String key, @Nullable String configured, String suffix, String invalid) {
		if (configured != null) {
			return configured;
		}
		if (this.application == null || !StringUtils.hasText(this.application)) {
			throw new InvalidInformerPropertyException(key,
					"it is not set, and the application has no name that could be its default",
					"Set " + key + " or spring.application.name.");
		}
		return this.application.toLowerCase(Locale.ROOT).replaceAll(invalid, "-") + suffix;
	}

	private String namespace(@Nullable String configured) {
		return (configured != null) ? configured : this.currentNamespace.get();
	}

}
