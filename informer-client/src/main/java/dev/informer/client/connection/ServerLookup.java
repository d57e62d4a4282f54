/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.connection;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.informer.client.connection.Credentials.Credential;
import dev.informer.client.connection.TlsMaterial.ClientCertificate;
import org.jspecify.annotations.Nullable;

/**
 * Lookup of the API server: in the settings, then in a kubeconfig, then in the pod.
 * Nothing is cached, and nothing is contacted.
 *
 * @param serviceAccount the folder of the service account of the pod
 */
record ServerLookup(ConnectionSettings settings, UnaryOperator<@Nullable String> environment, Path home,
		Path serviceAccount) {

	ServerLookup(ConnectionSettings settings) {
		this(settings, System::getenv, Path.of(System.getProperty("user.home")),
				Path.of("/var/run/secrets/kubernetes.io/serviceaccount"));
	}

	/**
	 * Find the server. The list receives the checked locations without one, and the
	 * reasons.
	 */
	@Nullable Found find(List<String> locations) {
		ServerDetails details = this.settings.server();
		if (details != null) {
			String type = details.getClass().getSimpleName();
			return new Found(type.isEmpty() ? "the connection details" : type, details.getNamespace(),
					() -> server(details));
		}
		Found found = inKubeconfig(locations);
		return (found != null || this.settings.kubeconfig() != null) ? found : inCluster(locations);
	}

	/**
	 * Return the server. Certificates are requested from the details whenever they may
	 * have changed.
	 */
	private static Server server(ServerDetails details) {
		String problem = Server.urlProblem(details.getUrl());
		if (problem != null) {
			throw new IllegalStateException("its URL " + problem);
		}
		File file = details.getTokenFile();
		String token = details.getToken();
		Credentials credentials = (file != null) ? new TokenFile(file.toPath(), null)
				: Credentials.of((token != null) ? Credential.ofToken(token) : Credential.ANONYMOUS);
		return new Server(details.getUrl(), details.isVerifyTls(), null,
				() -> new TlsMaterial(details.getCaCertificate(),
						ClientCertificate.of(details.getClientCertificate(), details.getClientKey()), details.getTls()),
				credentials, Server.NO_IMPERSONATION, null);
	}

	private @Nullable Found inKubeconfig(List<String> locations) {
		Path configured = this.settings.kubeconfig();
		if (configured != null) {
			Found found = inFiles("", List.of(configured), locations);
			if (found == null) {
				throw this.settings.invalid("kubeconfig", String.join("; ", locations),
						"Specify an existing kubeconfig with a current context, or none.");
			}
			return found;
		}
		String variable = this.environment.apply("KUBECONFIG");
		if (variable == null || variable.isBlank()) {
			locations.add("$KUBECONFIG: not set");
			return inFiles("", List.of(this.home.resolve(".kube/config")), locations);
		}
		List<Path> files = Stream.of(variable.split(File.pathSeparator))
			.filter((file) -> !file.isBlank())
			.map(Path::of)
			.toList();
		return inFiles("$KUBECONFIG, ", files, locations);
	}

	private @Nullable Found inFiles(String origin, List<Path> files, List<String> locations) {
		List<Path> existing = new ArrayList<>();
		for (Path file : files) {
			if (Files.isRegularFile(file)) {
				existing.add(file);
			}
			else {
				locations.add(origin + "kubeconfig " + file + ": no such file");
			}
		}
		if (existing.isEmpty()) {
			return null;
		}
		String place = origin + "kubeconfig " + existing.stream().map(Path::toString).collect(Collectors.joining(", "));
		Kubeconfig kubeconfig = Kubeconfig.read(existing);
		String name = contextName(kubeconfig, place);
		if (name == null) {
			locations.add(place + ": no current context");
			return null;
		}
		KubeconfigContext context = kubeconfig.context(name);
		return new Found(place, context.namespace(), () -> context.server(this.environment));
	}

	private @Nullable String contextName(Kubeconfig kubeconfig, String place) {
		String context = this.settings.context();
		if (context == null) {
			return kubeconfig.currentContext();
		}
		if (!kubeconfig.contexts().contains(context)) {
			throw this.settings.invalid("context", place + " has no context '" + context + "'",
					"Use one of " + kubeconfig.contexts() + ".");
		}
		return context;
	}

	private @Nullable Found inCluster(List<String> locations) {
		String host = this.environment.apply("KUBERNETES_SERVICE_HOST");
		String port = this.environment.apply("KUBERNETES_SERVICE_PORT");
		if (host == null || port == null) {
			locations.add("in-cluster credentials: $KUBERNETES_SERVICE_HOST and $KUBERNETES_SERVICE_PORT are not set");
			return null;
		}
		Path token = this.serviceAccount.resolve("token");
		if (!Files.isReadable(token)) {
			locations.add("in-cluster credentials: cannot read the token " + token
					+ " (automountServiceAccountToken may be disabled)");
			return null;
		}
		String url = "https://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
		Supplier<TlsMaterial> tls = () -> new TlsMaterial(read("ca.crt"), null, null);
		String namespace = read("namespace");
		return new Found("in-cluster credentials", (namespace != null) ? namespace.trim() : null,
				() -> new Server(url, true, null, tls, new TokenFile(token, null), Server.NO_IMPERSONATION, null));
	}

	private @Nullable String read(String name) {
		try {
			Path file = this.serviceAccount.resolve(name);
			return Files.isReadable(file) ? Files.readString(file) : null;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Server that was found.
	 *
	 * @param origin the location of the configuration, for logs
	 */
	record Found(String origin, @Nullable String namespace, Supplier<Server> server) {

	}

}
