/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.cluster;

import java.net.URI;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

import com.github.dockerjava.api.command.InspectImageResponse;
import com.github.dockerjava.api.exception.NotFoundException;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.k3s.K3sContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * Local image that runs as a {@code K3sContainer}: k3s, or its replacement that this
 * project builds with an API server alone for machines on which k3s cannot run. Requires
 * Testcontainers on the class path.
 */
public final class K3sImage {

	private static final String STANDS_IN = "dev.informer.stands-in-for";

	private final String name;

	private final boolean genuine;

	private K3sImage(String name, boolean genuine) {
		this.name = name;
		this.genuine = genuine;
	}

	/**
	 * Return the local image named by the system property {@code informer.test.k3s-image}
	 * or the environment variable {@code INFORMER_TEST_K3S_IMAGE}. The default is a k3s
	 * image. It is never pulled.
	 * @return the image, or empty without Docker or without the image
	 */
	public static Optional<K3sImage> local() {
		if (!K3sImageName.mayBeUsable() || !DockerClientFactory.instance().isDockerAvailable()) {
			return Optional.empty();
		}
		String name = K3sImageName.get();
		try {
			InspectImageResponse image = DockerClientFactory.lazyClient().inspectImageCmd(name).exec();
			Map<String, String> labels = (image.getConfig() != null) ? image.getConfig().getLabels() : null;
			return Optional.of(new K3sImage(name, labels == null || !labels.containsKey(STANDS_IN)));
		}
		catch (NotFoundException ex) {
			return Optional.empty();
		}
	}

	/**
	 * Return the name of the image.
	 * @return the name with its tag
	 */
	public String name() {
		return this.name;
	}

	/**
	 * Return whether this is k3s itself, with nodes and controllers.
	 * @return {@code false} for the replacement
	 */
	public boolean isGenuine() {
		return this.genuine;
	}

	/**
	 * Create a container for the image. It is privileged, as k3s requires, except for the
	 * replacement.
	 * @return a container, neither created nor started
	 */
	public K3sContainer newContainer() {
		return new K3sContainer(DockerImageName.parse(this.name).asCompatibleSubstituteFor("rancher/k3s"))
			.withPrivilegedMode(this.genuine);
	}

	RunningServer start() {
		K3sContainer container = newContainer();
		container.start();
		URI url = URI.create("https://%s:%d".formatted(container.getHost(), container.getMappedPort(6443)));
		String version = Objects.requireNonNull(DockerImageName.parse(this.name).getVersionPart());
		return RunningServer.of(url, version, container.getKubeConfigYaml(), container::stop);
	}

	@Override
	public String toString() {
		return this.name;
	}

}
