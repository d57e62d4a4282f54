/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.connection;

import java.io.File;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

import dev.informer.spring.InvalidInformerPropertyException;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.KubeConfig;
import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;

/**
 * {@link ClusterSource} for a kubeconfig: the one of the properties, or the first
 * existing file of {@code $KUBECONFIG} and {@code ~/.kube/config}. Several files in
 * {@code $KUBECONFIG} are not merged.
 */
final class KubeconfigSource implements ClusterSource {

	private final @Nullable File configured;

	private final @Nullable String context;

	private final UnaryOperator<@Nullable String> environment;

	private final File home;

	KubeconfigSource(@Nullable File configured, @Nullable String context, UnaryOperator<@Nullable String> environment,
			File home) {
		this.configured = configured;
		this.context = context;
		this.environment = environment;
		this.home = home;
	}

	@Override
	public @Nullable Cluster find(List<String> locations) {
		if (this.configured != null) {
			return fromProperty(this.configured, locations);
		}
		locations.add("property 'informer.connection.kubeconfig': not set");
		String variable = this.environment.apply("KUBECONFIG");
		if (!StringUtils.hasText(variable)) {
			locations.add("$KUBECONFIG: not set");
			return fromFile("", new File(this.home, ".kube/config"), locations);
		}
		for (String file : variable.split(Pattern.quote(File.pathSeparator))) {
			Cluster cluster = file.isBlank() ? null : fromFile("$KUBECONFIG, ", new File(file), locations);
			if (cluster != null) {
				return cluster;
			}
		}
		return null;
	}

	private Cluster fromProperty(File file, List<String> locations) {
		Cluster cluster = fromFile("", file, locations);
		if (cluster == null) {
			throw new InvalidInformerPropertyException("informer.connection.kubeconfig", String.join("; ", locations),
					"Specify an existing kubeconfig with a current context, or remove the property.");
		}
		return cluster;
	}

	private @Nullable Cluster fromFile(String origin, File file, List<String> locations) {
		String place = origin + "kubeconfig " + file;
		if (!file.isFile()) {
			locations.add(place + ": no such file");
			return null;
		}
		try {
			KubeConfig kubeconfig = read(file);
			selectContext(kubeconfig, file);
			if (kubeconfig.getServer() == null) {
				locations.add(place + ": its current context has no cluster");
				return null;
			}
			return new Cluster(place, kubeconfig.getNamespace(), () -> ClientBuilder.kubeconfig(kubeconfig).build());
		}
		catch (InvalidInformerPropertyException ex) {
			throw ex;
		}
		catch (IOException | RuntimeException ex) {
			locations.add(place + ": not a valid kubeconfig (" + ex.getClass().getSimpleName() + ")");
			return null;
		}
	}

	private static KubeConfig read(File file) throws IOException {
		try (Reader reader = Files.newBufferedReader(file.toPath())) {
			KubeConfig kubeconfig = KubeConfig.loadKubeConfig(reader);
			kubeconfig.setFile(file);
			return kubeconfig;
		}
	}

	private void selectContext(KubeConfig kubeconfig, File file) {
		if (this.context != null && !kubeconfig.setContext(this.context)) {
			List<String> names = kubeconfig.getContexts()
				.stream()
				.map((each) -> (each instanceof Map<?, ?> map) ? Objects.toString(map.get("name")) : "")
				.toList();
			throw new InvalidInformerPropertyException("informer.connection.context",
					"kubeconfig " + file + " has no context '" + this.context + "'", "Use one of " + names + ".");
		}
	}

}
