/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.connection;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import dev.informer.client.CredentialsException;
import dev.informer.client.TimeSource;
import dev.informer.client.connection.Credentials.Credential;
import dev.informer.client.connection.TlsMaterial.ClientCertificate;
import dev.informer.support.UntrustedText;
import io.kubernetes.client.openapi.JSON;
import org.jspecify.annotations.Nullable;

/**
 * Credential plugin of a kubeconfig. Its standard output is never part of a message, its
 * standard error only with its last line, without credentials.
 *
 * @see <a href=
 * "https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins">client-go
 * credential plugins</a>
 */
final class ExecPlugin implements RenewableCredentials.Provider {

	static final Duration DEADLINE = Duration.ofSeconds(30);

	private static final String GROUP = "client.authentication.k8s.io/";

	private static final Set<String> VERSIONS = Set.of(GROUP + "v1", GROUP + "v1beta1");

	private static final Set<String> KEYS = Set.of("apiVersion", "command", "args", "env", "installHint",
			"provideClusterInfo", "interactiveMode");

	private static final Set<String> INTERACTIVE_MODES = Set.of("Never", "IfAvailable", "Always");

	private static final int MAX_OUTPUT = 1 << 20;

	private static final int MAX_ERRORS = 1 << 14;

	private static final Pattern SECRET = Pattern.compile("token|secret|password|key|credential",
			Pattern.CASE_INSENSITIVE);

	private final String name;

	private final String apiVersion;

	private final List<String> command;

	private final Map<String, String> environment = new LinkedHashMap<>();

	private final String installHint;

	private final Duration deadline;

	/**
	 * Create the plugin of a user. The cluster is as the plugin gets it, the deadline is
	 * that of one run.
	 */
	ExecPlugin(KubeconfigSection exec, String user, Map<String, Object> cluster,
			UnaryOperator<@Nullable String> environment, Duration deadline) {
		exec.rejectUnknownKeys(KEYS);
		this.deadline = deadline;
		this.apiVersion = exec.requiredText("apiVersion");
		if (!VERSIONS.contains(this.apiVersion)) {
			throw exec.invalid("apiVersion", "'" + this.apiVersion + "' is unsupported",
					"Update the plugin and use " + GROUP + "v1.");
		}
		checkInteractiveMode(exec);
		String hint = exec.text("installHint");
		this.installHint = (hint != null) ? " " + UntrustedText.of(hint) : "";
		this.name = "credential plugin '" + exec.requiredText("command") + "' of user '" + user + "'";
		this.command = new ArrayList<>(List.of(command(exec, environment)));
		this.command.addAll(exec.texts("args"));
		exec.sections("env").forEach((variable) -> {
			String value = variable.text("value");
			this.environment.put(variable.requiredText("name"), (value != null) ? value : "");
		});
		UntrustedText.mask(this, secrets());
		this.environment.put("KUBERNETES_EXEC_INFO", info(exec.isTrue("provideClusterInfo") ? cluster : null));
	}

	private List<String> secrets() {
		return this.environment.entrySet()
			.stream()
			.filter((variable) -> SECRET.matcher(variable.getKey()).find())
			.map(Map.Entry::getValue)
			.toList();
	}

	private void checkInteractiveMode(KubeconfigSection exec) {
		String mode = exec.text("interactiveMode");
		if (mode == null && this.apiVersion.endsWith("v1")) {
			throw exec.invalid("interactiveMode", "is missing", "Add interactiveMode: Never or IfAvailable.");
		}
		if (mode != null && !INTERACTIVE_MODES.contains(mode)) {
			throw exec.invalid("interactiveMode", "'" + mode + "' is unknown", "Use Never or IfAvailable.");
		}
		if ("Always".equals(mode)) {
			throw exec.invalid("interactiveMode",
					"is Always, but standard input is not available to a plugin of an application",
					"Use a plugin that needs no input, with interactiveMode: Never.");
		}
	}

	private String command(KubeconfigSection exec, UnaryOperator<@Nullable String> environment) {
		String command = exec.requiredText("command");
		if (command.contains("/") || command.contains(File.separator)) {
			Path file = Objects.requireNonNull(exec.resolvePath("command"));
			if (Files.isExecutable(file)) {
				return file.toString();
			}
			throw exec.invalid("command", "names '" + file + "', which is not an executable file",
					"Install the plugin." + this.installHint);
		}
		String path = environment.apply("PATH");
		for (String folder : ((path != null) ? path : "").split(Pattern.quote(File.pathSeparator))) {
			Path file = Path.of(folder.isEmpty() ? "." : folder, command);
			if (Files.isExecutable(file) && Files.isRegularFile(file)) {
				return file.toString();
			}
		}
		if (File.separatorChar == '\\') {
			return command;
		}
		throw exec.invalid("command", "names '" + command + "', which is not on the PATH of the application",
				"Install the plugin." + this.installHint);
	}

	private String info(@Nullable Map<String, Object> cluster) {
		Map<String, Object> spec = new LinkedHashMap<>();
		if (cluster != null) {
			spec.put("cluster", cluster);
		}
		spec.put("interactive", false);
		Map<String, Object> info = new LinkedHashMap<>();
		info.put("kind", "ExecCredential");
		info.put("apiVersion", this.apiVersion);
		info.put("spec", spec);
		return JSON.getGson().toJson(info);
	}

	@Override
	public Credential obtain() throws IOException {
		ProcessBuilder builder = new ProcessBuilder(this.command);
		builder.environment().putAll(this.environment);
		Process process;
		try {
			process = builder.start();
		}
		catch (IOException ex) {
			throw failure("could not be started (" + UntrustedText.of(ex.getMessage()) + ")");
		}
		// A plugin that hangs would outlive this JVM.
		Thread hook = new Thread(() -> kill(process), "informer-credentials-shutdown");
		try {
			Runtime.getRuntime().addShutdownHook(hook);
			process.getOutputStream().close();
			Output output = new Output(process.getInputStream(), MAX_OUTPUT, false);
			Output errors = new Output(process.getErrorStream(), MAX_ERRORS, true);
			if (!process.waitFor(TimeSource.nanos(this.deadline), TimeUnit.NANOSECONDS)) {
				throw failure("did not finish within " + TimeSource.millis(this.deadline) + " ms" + stderr(errors));
			}
			String json = output.await();
			if (process.exitValue() != 0) {
				throw failure("failed with exit code " + process.exitValue() + stderr(errors));
			}
			return read(json);
		}
		catch (InterruptedException ex) {
			throw failure("was interrupted");
		}
		catch (IllegalStateException ex) {
			throw failure("was started during the shutdown");
		}
		finally {
			kill(process);
			removeShutdownHook(hook);
		}
	}

	private static void kill(Process process) {
		process.descendants().forEach(ProcessHandle::destroyForcibly);
		process.destroyForcibly();
	}

	private static void removeShutdownHook(Thread hook) {
		try {
			Runtime.getRuntime().removeShutdownHook(hook);
		}
		catch (IllegalStateException ex) {
			// ignored: the JVM is shutting down
		}
	}

	/**
	 * Return the last line of the standard error, without credentials.
	 */
	private static String stderr(Output errors) throws InterruptedException {
		String last = errors.await().lines().filter((line) -> !line.isBlank()).reduce("", (before, line) -> line);
		String text = UntrustedText.of(last);
		return text.isEmpty() ? "" : " (" + text + ")";
	}

	/**
	 * Read the {@code ExecCredential} that the plugin printed. No failure quotes it.
	 */
	private Credential read(String json) throws CredentialsException {
		JsonObject object = parse(json);
		if (!"ExecCredential".equals(text(object, "kind"))) {
			throw invalid("its kind is not ExecCredential");
		}
		if (!this.apiVersion.equals(text(object, "apiVersion"))) {
			throw invalid("its apiVersion is not " + this.apiVersion + ", as in the kubeconfig");
		}
		if (!(object.get("status") instanceof JsonObject status)) {
			throw invalid("it has no status");
		}
		String token = text(status, "token");
		String certificate = text(status, "clientCertificateData");
		String key = text(status, "clientKeyData");
		if (token == null && certificate == null && key == null) {
			throw invalid("its status has neither a token nor a client certificate");
		}
		if ((certificate == null) != (key == null)) {
			throw invalid("its status has only one of clientCertificateData and clientKeyData");
		}
		return new Credential((token != null) ? "Bearer " + token : null, ClientCertificate.of(certificate, key),
				expiry(text(status, "expirationTimestamp")));
	}

	private JsonObject parse(String json) throws CredentialsException {
		try {
			if (JsonParser.parseString(json) instanceof JsonObject object) {
				return object;
			}
		}
		catch (JsonParseException ex) {
			// rejected below, without the message: it may quote the output
		}
		throw invalid("its standard output is not a JSON object");
	}

	private @Nullable Instant expiry(@Nullable String text) throws CredentialsException {
		try {
			return (text != null) ? OffsetDateTime.parse(text).toInstant() : null;
		}
		catch (DateTimeParseException ex) {
			throw invalid("its expirationTimestamp is not an RFC 3339 time");
		}
	}

	private @Nullable String text(JsonObject object, String key) throws CredentialsException {
		JsonElement value = object.get(key);
		if (value == null || value.isJsonNull()) {
			return null;
		}
		if (!value.isJsonPrimitive()) {
			throw invalid("its " + key + " is not a text");
		}
		return value.getAsString().isEmpty() ? null : value.getAsString();
	}

	private CredentialsException invalid(String problem) {
		return failure("returned an invalid credential: " + problem);
	}

	private CredentialsException failure(String problem) {
		return new CredentialsException(Character.toUpperCase(this.name.charAt(0)) + this.name.substring(1) + " "
				+ problem + "." + this.installHint);
	}

	@Override
	public String toString() {
		return this.name;
	}

	/**
	 * Reader of an output, bounded in size and time: a process that the plugin started
	 * may keep the output open.
	 */
	private static final class Output {

		private static final long GRACE = 500;

		private final ByteArrayOutputStream content = new ByteArrayOutputStream();

		private final Thread thread;

		/**
		 * Begin to read. Of a long output the end or the beginning is kept.
		 */
		Output(InputStream input, int max, boolean end) {
			this.thread = new Thread(() -> read(input, max, end), "informer-credentials-output");
			this.thread.setDaemon(true);
			this.thread.start();
		}

		private void read(InputStream input, int max, boolean end) {
			byte[] buffer = new byte[4096];
			try (input) {
				for (int count = input.read(buffer); count >= 0; count = input.read(buffer)) {
					synchronized (this.content) {
						if (end && this.content.size() > max) {
							byte[] kept = this.content.toByteArray();
							this.content.reset();
							this.content.write(kept, kept.length - max, max);
						}
						this.content.write(buffer, 0, end ? count : Math.min(count, max - this.content.size()));
					}
				}
			}
			catch (IOException ex) {
				// ignored: the process was killed, the output up to then is sufficient
			}
		}

		String await() throws InterruptedException {
			this.thread.join(GRACE);
			synchronized (this.content) {
				return this.content.toString(StandardCharsets.UTF_8);
			}
		}

	}

}
