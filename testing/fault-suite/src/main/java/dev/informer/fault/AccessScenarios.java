/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.informer.fault.Scenario.Trait;
import dev.informer.fault.journal.WatchedResource;
import dev.informer.fault.server.Needs;
import dev.informer.fault.server.Needs.Route;

/**
 * Scenarios in which the server answers, but rejects requests or no longer has a
 * resource.
 */
final class AccessScenarios {

	private static final Duration REJECTED = Duration.ofSeconds(20);

	/** The API server caches the result of an authentication for 10 s. */
	private static final Duration AUTHENTICATION_CACHE = Duration.ofSeconds(12);

	private AccessScenarios() {
	}

	static List<Scenario> all() {
		return List.of(storm(429, Bar.LONG), storm(503, Bar.SHORT),
				Scenario.of("max-requests-inflight-1", Bar.LONG, ClientScenarios::relist)
					.with(Needs.DEFAULT
						.withFlags(Map.of("max-requests-inflight", "1", "enable-priority-and-fairness", "false")))
					.with(Trait.NOTICED),
				Scenario.of("token-revoked", Bar.LONG, AccessScenarios::revokeToken).with(Trait.NOTICED),
				Scenario.of("token-rotated", Bar.SHORT, AccessScenarios::rotateToken),
				Scenario.of("exec-plugin-hangs", Bar.PLUGIN, AccessScenarios::hangPlugin)
					.with(Needs.DEFAULT.withRoute(Route.PLUGIN))
					.with(Trait.NOTICED),
				Scenario.of("rbac-removed", Bar.LONG, AccessScenarios::removeRights).with(Trait.NOTICED),
				Scenario.of("crd-deleted-and-recreated", Bar.LONG, AccessScenarios::recreateCustomResource)
					.affecting(WatchedResource.WIDGETS)
					.with(Trait.NOTICED),
				Scenario.of("crd-other-version", Bar.LONG, AccessScenarios::changeVersions)
					.affecting(WatchedResource.WIDGETS)
					.with(Trait.NOTICED),
				Scenario.of("namespace-deleted", Bar.SHORT, AccessScenarios::deleteNamespace)
					.with(Needs.DEFAULT.withControllers()));
	}

	private static Scenario storm(int status, Bar bar) {
		return Scenario.of("storm-of-" + status, bar, (stage) -> {
			stage.session().errorServer().respondWith(status);
			stage.blind();
			stage.proxy().target(stage.session().errorServer().port());
			stage.proxy().reset();
			stage.hold(REJECTED);
			stage.proxy().heal();
		}).with(Trait.NOTICED);
	}

	private static void revokeToken(Stage stage) throws Exception {
		stage.cluster().access().revokeToken();
		stage.hold(AUTHENTICATION_CACHE);
		stage.blind();
		stage.proxy().reset();
		stage.hold(REJECTED);
		stage.cluster().access().rotateToken();
	}

	private static void rotateToken(Stage stage) throws Exception {
		stage.cluster().access().revokeToken();
		stage.cluster().access().rotateToken();
		stage.hold(AUTHENTICATION_CACHE);
		stage.blind();
		stage.proxy().reset();
	}

	/**
	 * Let the exec plugin hang while it is to replace a token that the server rejects.
	 * The process that hangs does not end with the fault.
	 */
	private static void hangPlugin(Stage stage) throws Exception {
		stage.cluster().access().revokeToken();
		stage.hold(AUTHENTICATION_CACHE);
		stage.cluster().access().plugin().hang(true);
		stage.blind();
		stage.proxy().reset();
		stage.hold(REJECTED);
		stage.cluster().access().rotateToken();
		stage.cluster().access().plugin().hang(false);
	}

	private static void removeRights(Stage stage) throws Exception {
		stage.cluster().access().revoke();
		stage.hold(Duration.ofSeconds(1));
		stage.blind();
		stage.proxy().reset();
		stage.hold(REJECTED);
		stage.cluster().access().grant();
	}

	private static void recreateCustomResource(Stage stage) throws Exception {
		stage.blind();
		stage.cluster().deleteCustomResource(WatchedResource.WIDGETS);
		stage.hold(REJECTED);
		stage.cluster().customResource(WatchedResource.WIDGETS, true, "v1");
		stage.cluster().createMarkers();
	}

	/**
	 * Store the objects in another version, and do not serve the watched one for some
	 * time.
	 */
	private static void changeVersions(Stage stage) throws Exception {
		stage.blind();
		stage.cluster().customResource(WatchedResource.WIDGETS, false, "v2");
		stage.hold(REJECTED);
		stage.cluster().customResource(WatchedResource.WIDGETS, true, "v2");
		stage.cluster().createMarkers();
	}

	private static void deleteNamespace(Stage stage) throws Exception {
		stage.cluster().createNamespace("doomed", 30);
		stage.hold(Duration.ofSeconds(2));
		stage.cluster().deleteNamespace("doomed");
	}

}
