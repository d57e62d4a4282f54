/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.cluster;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registry of the real servers of one test run, which starts servers on demand, counts
 * their tests and stops them. Thread-safe.
 */
final class RealServers implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(RealServers.class);

	private static final String SWITCH = "INFORMER_TEST_REAL_SERVER";

	private final Map<RequiredServer, RunningServer> shared = new EnumMap<>(RequiredServer.class);

	private final RealServerReport report = new RealServerReport();

	private final @Nullable Assets assets;

	private final boolean required;

	private @Nullable Optional<K3sImage> k3s;

	private @Nullable String version;

	private boolean skipping;

	RealServers(@Nullable Assets assets, boolean required) {
		this.assets = assets;
		this.required = required;
	}

	static RealServers fromEnvironment() {
		return new RealServers(Assets.fromEnvironment().orElse(null), "required".equals(System.getenv(SWITCH)));
	}

	/**
	 * Return the reason why no server meets a requirement.
	 * @param requirement what is needed
	 * @return the reason, or empty if a server is available
	 */
	synchronized Optional<String> missing(RequiredServer requirement) {
		return switch (requirement) {
			case ANY ->
				(this.assets != null || hasK3s()) ? Optional.empty() : Optional.of(noAssets() + ", and " + noK3s());
			case CONTROL_PLANE -> (this.assets != null) ? Optional.empty() : Optional.of(noAssets());
			case LIVING_CLUSTER -> missingForLife();
			case K3S_CONTAINER -> hasK3s() ? Optional.empty() : Optional.of(noK3s());
		};
	}

	private Optional<String> missingForLife() {
		if (this.assets == null) {
			return Optional.of(noAssets());
		}
		return this.assets.canLive() ? Optional.empty()
				: Optional.of(this.assets.folder() + " has no controller-manager, scheduler and kwok");
	}

	/**
	 * Log that tests are skipped, once in a run.
	 * @param requirement what the first skipped test needs
	 * @param reason why there is no such server
	 * @throws IllegalStateException if real servers are required
	 */
	synchronized void skip(RequiredServer requirement, String reason) {
		if (this.required) {
			throw new IllegalStateException(
					"Cannot run tests that need %s: %s, but %s=required".formatted(requirement, reason, SWITCH));
		}
		if (!this.skipping) {
			this.skipping = true;
			logger.atWarn()
				.addKeyValue("needs", requirement)
				.addKeyValue("reason", reason)
				.log("Skipped tests that need a real API server");
		}
	}

	private static String noAssets() {
		return Assets.VARIABLE + " is not set";
	}

	private static String noK3s() {
		return K3sImageName.hasTestcontainers() ? "Testcontainers finds no Docker with the image " + K3sImageName.get()
				: "testcontainers-k3s is not on the class path";
	}

	private boolean hasK3s() {
		return k3s().isPresent();
	}

	private Optional<K3sImage> k3s() {
		Optional<K3sImage> known = this.k3s;
		if (known == null) {
			known = K3sImageName.mayBeUsable() ? K3sImage.local() : Optional.empty();
			this.k3s = known;
		}
		return known;
	}

	/**
	 * Return the shared server that meets a requirement.
	 * @param requirement what is needed
	 * @return the running server
	 */
	synchronized RealServer shared(RequiredServer requirement) {
		RequiredServer kind = kind(requirement);
		RunningServer running = this.shared.get(kind);
		if (running == null) {
			running = start(kind);
			this.shared.put(kind, running);
		}
		return running.server();
	}

	/**
	 * Start a server.
	 * @param requirement what is needed
	 * @param apiServerFlags flags of kube-apiserver as {@code name=value}
	 * @return the server, to be closed by the caller
	 */
	synchronized RunningServer start(RequiredServer requirement, String... apiServerFlags) {
		RequiredServer kind = kind(requirement);
		if (kind == RequiredServer.K3S_CONTAINER) {
			return k3s().orElseThrow().start();
		}
		ControlPlaneBuilder builder = new ControlPlaneBuilder(requireAssets()).user("tester",
				UUID.randomUUID().toString());
		for (String flag : apiServerFlags) {
			String[] parts = flag.split("=", 2);
			builder.apiServerFlag(parts[0], (parts.length > 1) ? parts[1] : "true");
		}
		return RunningServer.of((kind == RequiredServer.LIVING_CLUSTER) ? builder.living().start() : builder.start());
	}

	private RequiredServer kind(RequiredServer requirement) {
		if (requirement != RequiredServer.ANY) {
			return requirement;
		}
		return (this.assets != null) ? RequiredServer.CONTROL_PLANE : RequiredServer.K3S_CONTAINER;
	}

	private Assets requireAssets() {
		if (this.assets == null) {
			throw new IllegalStateException(noAssets());
		}
		return this.assets;
	}

	/**
	 * Count a test.
	 * @param requirement what it needs
	 */
	synchronized void count(RequiredServer requirement) {
		boolean container = kind(requirement) == RequiredServer.K3S_CONTAINER;
		this.report.count(container ? "K3sContainer on " + K3sImageName.get() : "kube-apiserver " + version());
	}

	private String version() {
		String known = this.version;
		if (known == null) {
			known = requireAssets().version();
			this.version = known;
		}
		return known;
	}

	@Override
	public synchronized void close() {
		this.shared.values().forEach(RunningServer::close);
		this.shared.clear();
		this.report.write();
	}

}
