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
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
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

	private static final Set<String> INTERACTIVE_MODES = Set.of("Never", "IfAvailable");

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
	ExecPlugin(KubeconfigSection exec, String user, Map<String, @Nullable Object> cluster,
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
		UntrustedText.mask(this,
				this.environment.entrySet()
					.stream()
					.filter((variable) -> SECRET.matcher(variable.getKey()).find())
					.map(Map.Entry::getValue)
					.toList());
		this.environment.put("KUBERNETES_EXEC_INFO", info(exec.isTrue("provideClusterInfo") ? cluster : null));
	}

	private void checkInteractiveMode(KubeconfigSection exec) {
		String mode = exec.text("interactiveMode");
		if (mode == null && this.apiVersion.endsWith("v1")) {
			throw exec.invalid("interactiveMode", "is missing", "Add interactiveMode: Never or IfAvailable.");
		}
		if (mode != null && !INTERACTIVE_MODES.contains(mode)) {
			throw exec.invalid("interactiveMode",
					"is '" + mode + "', but standard input is not available to a plugin of an application",
					"Use Never or IfAvailable, with a plugin that needs no input.");
		}
	}

	private String command(KubeconfigSection exec, UnaryOperator<@Nullable String> environment) {
		String command = exec.requiredText("command");
		boolean isPath = command.contains("/") || command.contains(File.separator);
		if (!isPath && File.separatorChar == '\\') {
			return command;
		}
		String path = environment.apply("PATH");
		Stream<Path> candidates = isPath ? Stream.ofNullable(exec.resolvePath("command"))
				: Stream.of(((path != null) ? path : "").split(File.pathSeparator))
					.map((folder) -> Path.of(folder, command));
		return candidates.filter((file) -> Files.isExecutable(file) && Files.isRegularFile(file))
			.map(Path::toString)
			.findFirst()
			.orElseThrow(() -> exec.invalid("command",
					"names '" + command + "', which is not an executable file"
							+ (isPath ? "" : " on the PATH of the application"),
					"Install the plugin." + this.installHint));
	}

	private String info(@Nullable Map<String, @Nullable Object> cluster) {
		Map<String, Object> spec = (cluster != null) ? Map.of("interactive", false, "cluster", cluster)
				: Map.of("interactive", false);
		return JSON.getGson().toJson(Map.of("kind", "ExecCredential", "apiVersion", this.apiVersion, "spec", spec));
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
		try {
			process.getOutputStream().close();
			Output output = new Output(process.getInputStream());
			Output errors = new Output(process.getErrorStream());
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
		finally {
			process.descendants().forEach(ProcessHandle::destroyForcibly);
			process.destroyForcibly();
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
		JsonObject object;
		try {
			object = JsonParser.parseString(json).getAsJsonObject();
		}
		catch (JsonParseException | IllegalStateException ex) {
			// without the message: it may quote the output
			throw invalid("its standard output is not a JSON object");
		}
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

	private @Nullable Instant expiry(@Nullable String text) throws CredentialsException {
		try {
			return (text != null) ? OffsetDateTime.parse(text).toInstant() : null;
		}
		catch (DateTimeParseException ex) {
			throw invalid("its expirationTimestamp is not an RFC 3339 time");
		}
	}

	/**
	 * Return a text of an object; {@code null} if it is missing, empty or something else.
	 */
	static @Nullable String text(JsonObject object, String key) {
		return (object.get(key) instanceof JsonPrimitive value && !value.getAsString().isEmpty()) ? value.getAsString()
				: null;
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

		private static final int MAX_SIZE = 1 << 20;

		private static final long GRACE = 500;

		private final ByteArrayOutputStream content = new ByteArrayOutputStream();

		private final Thread thread;

		Output(InputStream input) {
			this.thread = new Thread(() -> read(input), "informer-credentials-output");
			this.thread.setDaemon(true);
			this.thread.start();
		}

		private void read(InputStream input) {
			byte[] buffer = new byte[4096];
			try (input) {
				for (int count = input.read(buffer); count >= 0; count = input.read(buffer)) {
					if (this.content.size() > MAX_SIZE) {
						// no credential is that long, and of errors only the end is of
						// interest
						this.content.reset();
					}
					this.content.write(buffer, 0, count);
				}
			}
			catch (IOException ex) {
				// ignored: the process was killed, the output up to then is sufficient
			}
		}

		String await() throws InterruptedException {
			this.thread.join(GRACE);
			return this.content.toString(StandardCharsets.UTF_8);
		}

	}

}
