/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.cluster;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Name of the image of a {@code K3sContainer}. Loads no class of Testcontainers, which
 * may be absent, and does not contact Docker, which would log errors on machines without
 * it.
 */
final class K3sImageName {

	private static final String PROPERTY = "informer.test.k3s-image";

	private static final String VARIABLE = "INFORMER_TEST_K3S_IMAGE";

	private static final String GENUINE = "rancher/k3s:v1.36.1-k3s1";

	private K3sImageName() {
	}

	static String get() {
		return Stream.of(System.getProperty(PROPERTY), System.getenv(VARIABLE))
			.filter((name) -> name != null && !name.isBlank())
			.findFirst()
			.orElse(GENUINE);
	}

	/**
	 * Return whether Testcontainers is on the class path and Docker seems to be
	 * installed.
	 * @return {@code true} if Docker may be available
	 */
	static boolean mayBeUsable() {
		return hasTestcontainers() && (System.getenv("DOCKER_HOST") != null || hasSocket());
	}

	static boolean hasTestcontainers() {
		try {
			Class.forName("org.testcontainers.k3s.K3sContainer", false, K3sImageName.class.getClassLoader());
			return true;
		}
		catch (ClassNotFoundException ex) {
			return false;
		}
	}

	private static boolean hasSocket() {
		Path home = Path.of(System.getProperty("user.home"));
		String runtime = Objects.requireNonNullElse(System.getenv("XDG_RUNTIME_DIR"), "/run");
		return Stream
			.of(Path.of("/var/run/docker.sock"), Path.of(runtime, "docker.sock"),
					home.resolve(".docker/run/docker.sock"), home.resolve(".docker/desktop/docker.sock"),
					home.resolve(".testcontainers.properties"))
			.anyMatch(Files::exists);
	}

}
