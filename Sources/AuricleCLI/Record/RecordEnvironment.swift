import AuricleAudio
import AuricleMedia
import AuricleRecognition
import AuricleRecording
import AuricleSession

/// What a recording's session takes from the world of the command.
struct RecordEnvironment {
  let request: RecordRequest
  let surroundings: Surroundings
  let loader: ProviderLoader
  /// The absolute path of the folder of all recordings.
  let root: String

  /// The name of the recogniser's place in the registry; reports have the name that the recogniser gives itself.
  private static let vendor = "on-device"

  var session: SessionEnvironment {
    let (origin, loss, open) = (request.origin, request.onDeviceLoss, surroundings.recording.openInput)
    let (root, format, limits) = (root, request.format, surroundings.recording.recorderLimits)
    return SessionEnvironment(
      registry: ProviderRegistry([provider]),
      openInput: { _, gate in
        let opened = try await open(origin, loss, gate)
        return SessionInput(recording: opened.input, device: opened.device, source: origin.name)
      },
      makeFiles: { try RecordingFiles.make($0, in: root, format: format, limits: limits) },
      speech: { SpeechSource($0) }, clock: surroundings.clock, wallClock: surroundings.wallClock)
  }

  /// The recogniser of this device, which still loads. Its languages show when it is there.
  private var provider: ServiceProvider {
    let loader = loader
    return ServiceProvider(
      vendor: Self.vendor, version: AuricleTool.version,
      capabilities: ProviderCapabilities(partialResults: true, diarization: false, offline: true, languages: []),
      recognition: { () async throws(RecognitionError) in
        do {
          return try await loader.provider()
        } catch let error as RecognitionError {
          throw error
        } catch {
          throw RecognitionError(.cancelled, "nobody waits for the recogniser any more")
        }
      })
  }
}

/// Makes the files of a recording.
enum RecordingFiles {
  /// Makes the folder with the journal and the audio; what was made is taken away again when one of them fails.
  static func make(
    _ request: SessionFilesRequest, in root: String, format: RecordingFormat, limits: RecorderLimits
  ) throws(RecordingError) -> SessionFiles {
    let folder = try RecordingFolder.create(in: root, named: RecordingPlace.name(request.startTime))
    do throws(RecordingError) {
      let journal = try Journal(creating: folder.journalPath)
      do throws(RecordingError) {
        let recorder = try Recorder(
          folder: folder, format: format, audio: request.audio, keepsSpool: request.isRead, limits: limits)
        return SessionFiles(
          writer: KnownFile(RecorderFile(recorder)), journal: journal, folder: folder.path,
          audioFileName: format.fileName)
      } catch {
        try? journal.remove()
        throw error
      }
    } catch {
      SystemCalls.removeEmptyFolder(folder.path)
      throw error
    }
  }
}
