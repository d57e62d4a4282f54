/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Pattern;

import dev.informer.HandlerOptions;
import dev.informer.InformerOptions;
import dev.informer.Shard;
import dev.informer.Sharding;
import dev.informer.TimeSource;
import dev.informer.spring.InvalidInformerPropertyException;
import dev.informer.spring.config.InformerSettings;
import dev.informer.spring.config.ReplicaSelection;
import org.jspecify.annotations.Nullable;

/**
 * Maps {@link InformerProperties} to {@link InformerSettings} and
 * {@link InformerOptions}, and validates them.
 */
final class InformerSettingsPropertyMapper {

	private static final String CURRENT_NAMESPACE = "@current";

	/** Pattern of names of namespaces, and of groups of replicas. */
	static final Pattern DNS_LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");

	private static final Duration MIN_RESYNC_PERIOD = Duration.ofSeconds(1);

	private final InformerProperties properties;

	InformerSettingsPropertyMapper(InformerProperties properties) {
		this.properties = properties;
	}

	/**
	 * Map the defaults of all informers.
	 * @return the default options
	 * @throws InvalidInformerPropertyException if a property is invalid
	 */
	InformerOptions defaultOptions() {
		InformerOptions.Builder builder = new InformerOptions.Builder(InformerOptions.DEFAULT);
		validate("informer.defaults", () -> {
			this.properties.getDefaults().applyTo(builder);
			builder.build();
		});
		return builder.build();
	}

	/**
	 * Map all settings.
	 * @param currentNamespace the supplier of the namespace of the connection
	 * @param drainTimeout the maximum time for handlers to return when the application
	 * stops
	 * @param sharding the division of objects between the replicas; {@code null} if it is
	 * disabled
	 * @return the settings
	 * @throws InvalidInformerPropertyException if a property is invalid
	 */
	InformerSettings settings(Supplier<String> currentNamespace, Duration drainTimeout, @Nullable Sharding sharding) {
		defaultOptions();
		validateNotNegative("informer.startup.timeout", this.properties.getStartup().getTimeout());
		validateNotNegative("informer.health.failing-threshold", this.properties.getHealth().getFailingThreshold());
		Duration stuckHandlerThreshold = this.properties.getHealth().getStuckHandlerThreshold();
		if (stuckHandlerThreshold != null) {
			validateNotNegative("informer.health.stuck-handler-threshold", stuckHandlerThreshold);
		}
		validateResyncPeriod("informer.defaults", this.properties.getDefaults().getResyncPeriod());
		Map<String, InformerSettings.Informer> informers = new LinkedHashMap<>();
		this.properties.getResources()
			.forEach((name, resource) -> informers.put(name, informer(name, resource, currentNamespace, sharding)));
		Map<String, InformerSettings.Handler> handlers = new LinkedHashMap<>();
		this.properties.getHandlers()
			.forEach((id, handler) -> handlers.put(id, handler("informer.handlers." + id, handler, null)));
		StartupProperties startup = this.properties.getStartup();
		return new InformerSettings(this.properties.isAutoStartup(), startup.getTimeout(), startup.getOnTimeout(),
				startup.isDeliverAfterSync(), startup.isAwaitHandlers(), drainTimeout,
				informer("<name>", new ResourceProperties(), currentNamespace, sharding), informers, handlers);
	}

	private InformerSettings.Informer informer(String name, ResourceProperties resource,
			Supplier<String> currentNamespace, @Nullable Sharding sharding) {
		String prefix = "informer.resources." + name;
		validateNamespaces(prefix, resource.getNamespaces());
		Shard shard = shard(prefix, resource.getShard(), sharding);
		DefaultsProperties defaults = this.properties.getDefaults();
		return new InformerSettings.Informer((builder) -> {
			defaults.applyTo(builder);
			resource.applyTo(builder);
			builder.shard(shard)
				.namespaces(resource.getNamespaces()
					.stream()
					.map((namespace) -> namespace.equals(CURRENT_NAMESPACE) ? currentNamespace.get() : namespace)
					.toArray(String[]::new));
		}, resource.getIndices().stream().map(ResourceProperties.BuiltInIndex::index).toList(), resource.isRequired(),
				handler(prefix + ".handler", resource.getHandler(), defaults.getResyncPeriod()));
	}

	private static @Nullable Shard shard(String prefix, ResourceProperties.Shard shard, @Nullable Sharding sharding) {
		Shard.Key by = shard.getBy();
		if (by == null) {
			return null;
		}
		if (sharding == null) {
			throw new InvalidInformerPropertyException(prefix + ".shard.by",
					"the informer caches a share of the objects, but sharding is disabled",
					"Set informer.sharding.enabled=true, or let every replica cache all objects: remove " + prefix
							+ ".shard.by.");
		}
		return new Shard(sharding, by);
	}

	private static InformerSettings.Handler handler(String prefix, HandlerProperties handler,
			@Nullable Duration defaultResyncPeriod) {
		validateResyncPeriod(prefix, handler.getResyncPeriod());
		validate(prefix, () -> {
			HandlerOptions.Builder<?> builder = new HandlerOptions.Builder<>();
			handler.applyTo(builder);
			builder.build();
		});
		return new InformerSettings.Handler((builder) -> {
			if (defaultResyncPeriod != null) {
				builder.resyncPeriod(defaultResyncPeriod);
			}
			handler.applyTo(builder);
		}, new ReplicaSelection(handler.getLeaderOnly(), handler.getLeader(), handler.getSharded()));
	}

	private static void validateNotNegative(String key, Duration duration) {
		if (duration.isNegative()) {
			throw new InvalidInformerPropertyException(key,
					"the duration must not be negative, but is " + TimeSource.millis(duration) + " ms",
					"Set a duration such as 30s.");
		}
	}

	private static void validateNamespaces(String prefix, List<String> namespaces) {
		for (String namespace : namespaces) {
			if (!namespace.equals(CURRENT_NAMESPACE) && !DNS_LABEL.matcher(namespace).matches()) {
				throw new InvalidInformerPropertyException(prefix + ".namespaces",
						"'" + namespace + "' is not a valid name of a namespace, which has at most 63 lowercase "
								+ "letters, digits and dashes",
						"Name namespaces, or " + CURRENT_NAMESPACE
								+ " for the namespace of the connection; leave the property out for all namespaces.");
			}
		}
	}

	private static void validateResyncPeriod(String prefix, @Nullable Duration period) {
		if (period != null && !period.isZero() && period.compareTo(MIN_RESYNC_PERIOD) < 0) {
			throw new InvalidInformerPropertyException(prefix + ".resync-period",
					"the resync period must be at least 1000 ms, but is " + TimeSource.millis(period) + " ms",
					"Use 0 for no resync.");
		}
	}

	private static void validate(String prefix, Runnable values) {
		try {
			values.run();
		}
		catch (IllegalArgumentException ex) {
			throw InvalidInformerPropertyException.of(prefix, ex);
		}
	}

}
